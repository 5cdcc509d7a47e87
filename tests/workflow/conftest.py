"""Projects that tests share: one that was run and must be copied before it is touched, and fresh ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import Project


# Before pytest-xdist collects groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run what shares the finished project, or each would make one."""
    for item in items:
        if "finished" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("finished"))


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose run is over; treat it as read-only."""
    project = Project(tmp_path_factory.mktemp("finished") / "project")
    project.run()
    return project


@pytest.fixture
def copied(finished: Project, tmp_path: Path) -> Project:
    """A copy of the finished project, times of files included."""
    return finished.copy(tmp_path / "project")


@pytest.fixture
def fresh(tmp_path: Path) -> Project:
    """A project that was never run."""
    return Project(tmp_path / "project")


@pytest.fixture
def small(fresh: Project) -> Project:
    """A project with the least work: one data set, one measure, two trials."""
    experiment = fresh.read("experiments/demo.yaml")
    experiment["trials"] = {"quick": 2, "thesis": 2}
    experiment["parts"][0] |= {"datasets": ["tiny"], "measures": ["yy"], "clusterers": ["hierarchical"]}
    fresh.write("experiments/demo.yaml", experiment)
    return fresh
