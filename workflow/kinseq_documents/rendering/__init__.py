"""Tables, figures and pages: results computed elsewhere, formatted for print."""
