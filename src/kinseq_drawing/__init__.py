"""What application and reproduction draw and write pages with: styles, figures, diagrams, parts of pages."""
