"""The configuration of the workflow, read once: files checked against their schemas, names resolved at the scale of the run, and
what rules and jobs take from it.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kinseq.analysis.options import Options
from kinseq.cli.request import FILES
from kinseq.clustering import registry as clusterers
from kinseq.core.schema import check
from kinseq.features import registry as features
from kinseq.measures import registry as measures
from kinseq.measures.registry import MEASURE
from kinseq.models.kinds import registry as model_kinds

from . import plan
from .batches import split
from .catalogue import Catalogue, generated
from .data import acquire
from .data import registry as loaders
from .documents import Cost, costs, costs_in_words, named
from .fingerprint import fingerprint
from .kinds import matrices
from .kinds.base import Kind
from .yaml_files import load

EXAMPLE, EXAMPLE_DATA = "vowels", "japanese_vowels"
"""Name of the worked example of one's own data, a folder of files that ``kinseq cluster`` takes, and the data set it holds."""


def digest_of(*paths: Path) -> str:
    """Return the digest of files that a job reads and that are no modules."""
    return hashlib.blake2b(b"".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()


def as_typed(settings: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in which ``true`` and ``false`` are no text any more where the schema asks for a boolean.

    Snakemake gives them as text where they stand on its command line, as in ``--config offline=true``.
    """
    words = {"true": True, "false": False}
    return {
        key: words.get(value, value) if schema["properties"].get(key, {}).get("type") == "boolean" else value
        for key, value in settings.items()
        if isinstance(value, str)
    }


@dataclass(frozen=True)
class Project:
    """Everything that a run makes, and what its jobs need to know.

    Attributes
    ----------
    settings : mapping
        Content of ``config.yaml``, complete.
    folder : Path
        Folder of the other files of the configuration.
    roots : tuple of Path
        Folders in which data sets are looked for, in this order.
    catalogue : Catalogue
        Before it is known which data can be had.
    absent : mapping
        Data sets that are not there, with the reason.
    chosen : tuple of str
        Ids of the experiments of the run.
    """

    settings: Mapping[str, Any]
    folder: Path
    roots: tuple[Path, ...]
    catalogue: Catalogue
    absent: Mapping[str, str]
    chosen: tuple[str, ...]

    @classmethod
    def read(cls, settings: Mapping[str, Any], folder: Path, schemas: Path, data: str | None = None) -> Project:
        """Read the configuration.

        Parameters
        ----------
        settings : mapping
            Content of ``config.yaml``, with its defaults.
        folder : Path
            Folder of the other files.
        schemas : Path
            Folder of their schemas, ``<name>.schema.yaml``.
        data : str, optional
            A folder of data sets that is looked into first.

        Raises
        ------
        ConfigError
            If a file cannot be read, does not fit its schema, or names what there is not.
        """
        schema_of: dict[str, Any] = {}

        def checked(path: Path, schema: str, document: Any) -> Any:
            if schema not in schema_of:
                schema_of[schema] = load(schemas / f"{schema}.schema.yaml")
            check(document, schema_of[schema], str(path))
            return document

        def experiment(path: Path) -> Any:
            document = load(path)
            checked(path, plan.kind_name(document, str(path)), document)
            plan.require_id(document, path.stem, str(path))
            return document

        entries = {
            name: checked(folder / f"{name}.yaml", name, load(folder / f"{name}.yaml"))
            for name in ("datasets", "models", "variants", "readings")
        }
        scale = settings["scale"]
        datasets = plan.at_scale(entries["datasets"], scale)
        catalogue = plan.catalogue(
            datasets,
            entries["models"],
            entries["variants"],
            {path.stem: experiment(path) for path in sorted((folder / "experiments").glob("*.yaml"))},
            readings=entries["readings"],
            scale=scale,
            batch=settings["scales"][scale]["batch"],
        )
        roots = tuple(Path(root).expanduser() for root in (data, settings["data_dir"], "data") if root)
        return cls(
            settings=settings,
            folder=folder,
            roots=roots,
            catalogue=catalogue,
            absent=acquire.missing(datasets, roots),
            chosen=tuple(plan.experiment_ids(catalogue, settings["experiments"])),
        )

    # What is made

    @property
    def datasets(self) -> Mapping[str, Mapping[str, Any]]:
        """Entries of the data sets at the scale of the run."""
        return self.catalogue.datasets

    @cached_property
    def here(self) -> list[str]:
        """Data sets that are there, or made here."""
        return [name for name in self.datasets if name not in self.absent]

    @cached_property
    def can_be_downloaded(self) -> list[str]:
        """Data sets of which it is not known yet whether they can be had."""
        offline = self.settings["offline"]
        return [] if offline else [name for name in self.absent if self.datasets[name].get("download")]

    @cached_property
    def scored(self) -> list[str]:
        """Chosen experiments that leave a table of scores."""
        return [name for name in self.chosen if plan.is_scored(self.catalogue, name)]

    @cached_property
    def documents(self) -> dict[str, list[str]]:
        """Document to the chosen experiments that belong to it."""
        every = plan.documents(self.catalogue.experiments)
        return {name: [one for one in members if one in self.chosen] for name, members in every.items()}

    @cached_property
    def chosen_documents(self) -> list[str]:
        """Documents that the run is limited to; empty if it makes everything.

        Raises
        ------
        ParameterError
            If one is not known.
        """
        words = self.settings["documents"]
        return [] if words is None else named(words, self.documents)

    def products(self, experiments: Iterable[str]) -> list[str]:
        """Return every file that some experiments leave, relative to the results."""
        return [file for name in experiments for file in plan.products(self.catalogue, name)]

    def example_files(self, known: Catalogue) -> list[str]:
        """Files of the worked example, where it is part of everything: its data are here and no experiments were picked."""
        here = EXAMPLE_DATA in self.datasets and EXAMPLE_DATA not in known.missing
        return [f"own/{EXAMPLE}/{file}" for file in FILES] if here and self.settings["experiments"] == "all" else []

    @cached_property
    def costs(self) -> dict[str, Cost]:
        """What experiments cost at the quick scale."""
        return costs(self.folder)

    def about(self, experiments: Sequence[str]) -> str:
        """Return what a target shows, and what it costs before it is run, in a line."""
        titles = [str(self.catalogue.experiments[name]["title"]) for name in experiments]
        shown = titles[0] if len(titles) == 1 else f"{len(titles)} tables and figures"
        cost = costs_in_words(self.costs, experiments)
        return f"{shown}; {cost} at the quick scale" if cost else shown

    def report_labels(self, experiment: str, part: str = "") -> dict[str, str]:
        """Columns of an experiment in the report of a run: what it is in print, what it shows, and its target."""
        from .rendering.verdicts import place  # needed when a report is made, and by no plan

        entry = self.catalogue.experiments[experiment]
        printed = ", ".join(place(source["document"], source["item"]) for source in entry.get("sources", ()))
        title = f"{entry['title']} ({part})" if part else str(entry["title"])
        return {"in print": printed, "title": title, "target": experiment}

    def printed(self, experiment: str) -> list[str]:
        """Return the file with the printed numbers of an experiment, as a list that is empty if there are none."""
        path = self.folder / "published" / f"{experiment}.csv"
        return [str(path)] if path.is_file() else []

    def planned(self, experiment: str) -> Kind[Any]:
        """Return an experiment as its kind sees it, before it is known which data can be had."""
        return plan.planned(self.catalogue, experiment)

    # What jobs are given

    def drawing_settings(self, known: Catalogue, experiments: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return what the job of some drawings is given, by the names of the drawings; `known` says which data can be had."""
        return {
            name: {
                "experiment": self.catalogue.experiments[name],
                "kinds": list(self.planned(name).files),
                "labels": plan.labels(self.catalogue, [name]),
                "missing": plan.nothing_to_draw(known, name),
                "stand_ins": plan.stand_ins(known, name),
            }
            for name in experiments
        }

    def record_settings(self, known: Catalogue, experiments: Iterable[str]) -> list[dict[str, Any]]:
        """Return what the record of a document is given of each experiment; `known` says which data can be had."""
        return [
            {
                "listed": plan.listed(known, [name])[0],
                "parsed": self.catalogue.experiments[name] if plan.is_scored(self.catalogue, name) else None,
                "printed": self.printed(name),
                "unavailable": plan.missing(known, name),
                "decided_on": plan.decided_on(known, name, self.in_print),
                "home": plan.home(self.catalogue, name),
                "configuration": plan.configuration_digest(self.catalogue, name, self._printed_text(name)),
                "shows_third_party": plan.shows_third_party(known, name),
                "readings": plan.readings(self.catalogue, [name]),
                "data": {
                    dataset: self._of_record(dataset)
                    for dataset in plan.planned(known, name).datasets()
                    if dataset not in known.missing
                },
            }
            for name in experiments
        ]

    @cached_property
    def in_print(self) -> frozenset[str]:
        """Data sets of which a document prints numbers."""
        found = set()
        for path in (self.folder / "published").glob("*.csv"):
            with path.open(encoding="utf-8", newline="") as table:
                found |= {row["dataset"] for row in csv.DictReader(table)}
        return frozenset(found)

    def _printed_text(self, experiment: str) -> str:
        return "".join(Path(path).read_text(encoding="utf-8") for path in self.printed(experiment))

    def _of_record(self, dataset: str) -> dict[str, Any]:
        entry = self.datasets[dataset]
        return {
            "title": entry["title"],
            "generated": generated(self.catalogue, dataset),
            "bundled": "bundled" in entry,
            "entry": {key: entry[key] for key in ("folder", "files", "bundled") if key in entry},
        }

    def stamp(self, dataset: str) -> str:
        """Return a stamp of files that no checksum vouches for, so that changed recordings are read again."""
        return "" if generated(self.catalogue, dataset) else acquire.stamp(dataset, self.datasets[dataset], self.roots)

    def folders(self) -> dict[str, str]:
        """Return where data lie that are read from files; after a move the table of what can be had is made again."""
        held = [name for name in self.here if not generated(self.catalogue, name)]
        return {name: str(acquire.locate(name, self.datasets[name], self.roots) or "") for name in held}

    # Fingerprints of the code that a job depends on

    def code_of_loader(self, dataset: str) -> str:
        """Of a job that makes the sequences of a data set."""
        entry, known = self.datasets[dataset], features.modules()
        asked = entry.get("params", {}).get("features")
        recipe = asked.get("recipe") if isinstance(asked, Mapping) else asked
        modules = [known[recipe].module] if isinstance(recipe, str) and recipe in known else []
        return fingerprint("kinseq_documents.stages.sequences", loaders.modules()[entry["loader"]].module, *modules)

    def code_of_models(self, models: str) -> str:
        """Of a job that fits models, named as in its files: ``hmm2+hmm3``."""
        modules = matrices.model_modules(self.catalogue, split(models))
        return fingerprint("kinseq_documents.stages.models", "kinseq_documents.stages.loglik", *modules)

    def code_of_measures(self, measures: str) -> str:
        """Of a job that computes matrices."""
        modules = matrices.measure_modules(self.catalogue, split(measures))
        return fingerprint("kinseq_documents.stages.distances", *modules)

    def code_of_partitions(self, measures: str, clusterers: str) -> str:
        """Of a job that clusters matrices, which it computes unless they are kept in files."""
        modules = matrices.clusterer_modules(self.catalogue, split(clusterers))
        computed = [] if self.settings["keep_distances"] else matrices.measure_modules(self.catalogue, split(measures))
        return fingerprint("kinseq_documents.stages.partitions", *modules, *computed)

    def code_of_estimates(self, experiment: str, problems: str, estimators: str) -> str:
        """Of a job that runs estimators on problems."""
        modules = self._modules_of(experiment, split(problems), split(estimators))
        return fingerprint("kinseq_documents.stages.estimates", *modules)

    def code_of_times(self, experiment: str) -> str:
        """Of a job that records seconds."""
        return fingerprint("kinseq_documents.stages.estimates", *self._modules_of(experiment))

    def _modules_of(self, experiment: str, *names: Sequence[str]) -> list[str]:
        # Kinds whose jobs name what they compute take these names.
        kind: Any = self.planned(experiment)
        return list(kind.modules(*names))

    def code_of_example(self) -> str:
        """Of the worked example of ``kinseq cluster``, whose measure and clusterer are the default ones; the data decide which kind
        of models and which features serve.
        """
        default = [measures.modules()[MEASURE], clusterers.modules()[Options.clusterer]]
        entries = [*default, *model_kinds.modules().values(), *features.modules().values()]
        return fingerprint("kinseq.analysis", "kinseq.cli.commands", *sorted({entry.module for entry in entries}))

    def code_of_drawings(self, experiments: Iterable[str]) -> str:
        """Of a job that draws."""
        return fingerprint("kinseq_documents.stages.drawings", *plan.modules(self.catalogue, experiments))

    def code_with_metrics(self, experiments: Iterable[str], *modules: str) -> str:
        """Of a job that calls some modules with the metrics of some experiments."""
        return fingerprint(*modules, *plan.metric_modules(self.catalogue, experiments))
