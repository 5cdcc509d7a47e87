"""The table of each registry, against what the modules beside it register."""

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


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.table.stem)
def test_what_is_known_of_an_entry_is_what_it_says(registry):
    assert list(registry.modules()) == list(registry.own)
    for name, known in registry.modules().items():
        assert registry.get(name).name == name
        assert known.fields == registry.fields_of(registry.get(name))
