"""The page on a user's own data: :mod:`.page` puts it together, templates write what :mod:`.sections` and :mod:`.clusters` say."""
