"""The page on a user's own data: :mod:`.page` puts it together, :mod:`.sections` and :mod:`.clusters` write its parts."""
