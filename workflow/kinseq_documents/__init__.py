"""The reproduction: data, experiments, problems and drawings of five documents, and how their numbers compare with print."""
