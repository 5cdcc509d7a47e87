"""The table of each registry, against what the modules next to it register."""

import pytest

from kinseq_documents.registry_tables import REGISTRIES, table


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.table.stem)
def test_a_table_has_a_line_for_each_entry(registry):
    right, written = table(registry), registry.table.read_text(encoding="utf-8")
    lines = written.splitlines()
    wrong = [line for line in right.splitlines() if line not in lines]
    wrong += [f"nothing like {line}" for line in lines if line not in right.splitlines()]
    assert written == right, (
        f"{registry.table}: make pages writes {wrong[0] if wrong else 'its lines in another order'}"
    )
    # The content of a line equals that of the entry.
    for name, known in registry.own.items():
        assert known.fields == registry.fields_of(registry.get(name)), name
