"""The command line: the commands (:mod:`.console`), their options, checked (:mod:`.request`), and completion in shells."""
