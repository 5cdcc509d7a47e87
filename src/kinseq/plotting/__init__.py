"""What application and reproduction draw and write pages with: styles, figures and their panels, parts of pages."""
