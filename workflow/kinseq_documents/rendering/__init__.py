"""Tables, figures and pages: what was computed elsewhere, made fit to print."""
