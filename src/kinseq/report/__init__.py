"""The page on a user's data: :mod:`.page` assembles it, templates render the data of :mod:`.sections` and :mod:`.clusters`."""
