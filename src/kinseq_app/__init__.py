"""The application: people's own files in, clusters and a page of pictures out; two samples compared; the command line."""
