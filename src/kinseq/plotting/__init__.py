"""Drawing and writing of pages for product and documents: the style of figures, parts of pages, sounds."""
