"""The configuration of the workflow, read once.

Files are checked against their schemas, names resolved at the scale of the run; rules and jobs take their settings from here.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kinseq.clustering import registry as clusterers
from kinseq.core.schema import check
from kinseq.features import registry as features
from kinseq.measures import registry as measures
from kinseq.measures.registry import MEASURE
from kinseq.models.kinds import registry as model_kinds

from . import job_settings, plan
from .batches import parse_trials, split
from .catalogue import Catalogue, at_scale, generated
from .data import acquire
from .data import registry as loaders
from .documents import Cost, costs, costs_in_words, named
from .experiments import ComparisonExperiment
from .fingerprint import HOMES, fingerprint
from .kinds import matrices
from .kinds.base import Kind
from .yaml_files import load

EXAMPLE, EXAMPLE_DATA = "vowels", "japanese_vowels"
"""Name of the worked example of one's own data, a folder of files that ``kinseq cluster`` takes, and the data set it holds."""

EXAMPLE_FILES = (
    "index.html",
    "result.kinseq",
    "partition.csv",
    "explanation.csv",
    "distance.csv",
    "distance.npz",
    "settings.json",
    "heatmap.png",
    "map.png",
    "dendrogram.png",
)
"""Files that the example writes into its folder.

They are listed here, like the clusterer below, since a plan that imported the command line would depend on half of the library;
a test compares both with the command line.
"""

EXAMPLE_CLUSTERER = "spectral"
"""The default clusterer of an analysis, which the example is clustered by."""


def digest_of(*paths: Path) -> str:
    """Return the digest of files that a job reads and that are not modules."""
    return hashlib.blake2b(b"".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()


def as_typed(settings: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings in which ``true`` and ``false`` are not text any more where the schema requires a boolean.

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
    """All outputs of a run, and the inputs of its jobs.

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
    def read(
        cls,
        settings: Mapping[str, Any],
        folder: Path,
        schemas: Path,
        data: str | None = None,
        further: Mapping[str, Sequence[Mapping[str, Any]]] = MappingProxyType({}),
    ) -> Project:
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
            A folder of data sets that is searched first.
        further : mapping, optional
            Further trials by experiment (:func:`kinseq_documents.further.read`).

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
            added = further.get(path.stem, ())
            return {**document, "further": list(added)} if added else document

        entries = {
            name: checked(folder / f"{name}.yaml", name, load(folder / f"{name}.yaml"))
            for name in ("datasets", "models", "variants", "readings")
        }
        scale = settings["scale"]
        datasets = at_scale(entries["datasets"], scale)
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

    # Outputs

    @property
    def seed(self) -> int:
        """Root seed of the run."""
        return int(self.settings["seed"])

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
        """Data sets whose availability is not known yet."""
        offline = self.settings["offline"]
        return [] if offline else [name for name in self.absent if self.datasets[name].get("download")]

    @cached_property
    def scored(self) -> list[str]:
        """Chosen experiments that leave a table of scores."""
        return [name for name in self.chosen if self.planned(name).is_scored]

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
        return [file for name in experiments for file in self.planned(name).products()]

    def example_files(self, known: Catalogue) -> list[str]:
        """Files of the worked example, where it is part of everything: its data are here and no experiments were picked."""
        here = EXAMPLE_DATA in self.datasets and EXAMPLE_DATA not in known.missing
        return (
            [f"own/{EXAMPLE}/{file}" for file in EXAMPLE_FILES]
            if here and self.settings["experiments"] == "all"
            else []
        )

    @cached_property
    def costs(self) -> dict[str, Cost]:
        """Cost of the experiments at the quick scale."""
        return costs(self.folder)

    def about(self, experiments: Sequence[str]) -> str:
        """Return the content of a target, and its cost before a run, in a line."""
        titles = [str(self.catalogue.experiments[name]["title"]) for name in experiments]
        shown = titles[0] if len(titles) == 1 else f"{len(titles)} tables and figures"
        cost = costs_in_words(self.costs, experiments)
        return f"{shown}; {cost} at the quick scale" if cost else shown

    def report_labels(self, experiment: str, part: str = "") -> dict[str, str]:
        """Columns of an experiment in the report of a run: what it is in print, what it shows, and its target."""
        from .rendering.verdicts import place  # needed for reports, not for plans

        entry = self.catalogue.experiments[experiment]
        printed = ", ".join(place(source["document"], source["item"]) for source in entry.get("sources", ()))
        title = f"{entry['title']} ({part})" if part else str(entry["title"])
        return {"in print": printed, "title": title, "target": experiment}

    def printed(self, experiment: str) -> list[str]:
        """Return the file with the printed numbers of an experiment, as a list that is empty if there are none."""
        path = self.folder / "published" / f"{experiment}.csv"
        return [str(path)] if path.is_file() else []

    def planned(self, experiment: str) -> Kind[Any]:
        """Return an experiment as its kind sees it, before availability is known."""
        return plan.planned(self.catalogue, experiment)

    # Inputs of jobs; if they depend on the available data, `known` is the catalogue that says so

    def sequences_job(self, dataset: str) -> job_settings.SequencesSettings:
        """Return the inputs of the job of a data set."""
        return job_settings.SequencesSettings(
            entry=self.datasets[dataset], stamp=self.stamp(dataset), seed=self.seed, code=self._code_of_loader(dataset)
        )

    def availability_job(self) -> job_settings.AvailabilitySettings:
        """Return the inputs of the job that looks for the data sets."""
        return job_settings.AvailabilitySettings(
            datasets=self.datasets,
            available=self.here,
            folders=self.folders(),
            code=fingerprint("kinseq_documents.data.acquire"),
        )

    def models_job(self, models: str, trials: str) -> job_settings.ModelsSettings:
        """Return the inputs of the job of some models, named as in its files: ``hmm2+hmm3``."""
        names = split(models)
        modules = matrices.model_modules(self.catalogue, names)
        return job_settings.ModelsSettings(
            specs={name: self.catalogue.models[name] for name in names},
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.models", "kinseq_documents.stages.loglik", *modules),
        )

    def distances_job(self, measures: str, models: str, trials: str) -> job_settings.DistancesSettings:
        """Return the inputs of the job of some matrices."""
        names = split(measures)
        return job_settings.DistancesSettings(
            measures=matrices.assigned(self.catalogue, names, split(models)),
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.distances", *matrices.measure_modules(self.catalogue, names)),
        )

    def partitions_job(
        self, measures: str, models: str, clusterers: str, trials: str
    ) -> job_settings.PartitionsSettings:
        """Return the inputs of the job that clusters matrices, which it computes unless they are kept in files."""
        names, clusterer_names = split(measures), split(clusterers)
        modules = matrices.clusterer_modules(self.catalogue, clusterer_names)
        computed = [] if self.settings["keep_distances"] else matrices.measure_modules(self.catalogue, names)
        return job_settings.PartitionsSettings(
            measures=matrices.assigned(self.catalogue, names, split(models)),
            clusterers={name: self.catalogue.clusterers[name] for name in clusterer_names},
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.partitions", *modules, *computed),
        )

    def scores_job(self, known: Catalogue, experiment: str) -> job_settings.ScoresSettings:
        """Return the inputs of the job that scores an experiment."""
        kind: Any = plan.planned(known, experiment)
        return job_settings.ScoresSettings(
            jobs=kind.scored_jobs(),
            metrics=kind.metrics(),
            seed=self.seed,
            code=self._code_with_metrics([experiment], "kinseq_documents.stages.scores"),
        )

    def estimates_job(
        self, experiment: str, problems: str, estimators: str, trials: str
    ) -> job_settings.EstimatesSettings:
        """Return the inputs of a job of estimates."""
        kind: Any = self.planned(experiment)
        names, estimator_names = split(problems), split(estimators)
        return job_settings.EstimatesSettings(
            arguments=[kind.arguments(problem, estimator_names) for problem in names],
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.estimates", *kind.modules(names, estimator_names)),
        )

    def estimation_scores_job(self, experiment: str) -> job_settings.EstimationScoresSettings:
        """Return the inputs of the job that scores estimates."""
        return job_settings.EstimationScoresSettings(
            metrics=self.planned(experiment).metrics(),
            seed=self.seed,
            code=self._code_with_metrics([experiment], "kinseq_documents.stages.estimates"),
        )

    def times_job(self, experiment: str) -> job_settings.TimesSettings:
        """Return the inputs of the job that measures an experiment which records seconds."""
        kind: Any = self.planned(experiment)
        return job_settings.TimesSettings(
            arguments=[kind.arguments(problem) for problem in kind.problems()],
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.estimates", *kind.modules()),
        )

    def drawings_job(self, known: Catalogue, experiments: Sequence[str]) -> job_settings.DrawingsSettings:
        """Return the inputs of the job of some drawings."""
        drawings = {}
        for name in experiments:
            kind = plan.planned(known, name)
            drawings[name] = job_settings.OneDrawing(
                experiment=kind.experiment,
                kinds=list(kind.files),
                labels=kind.labels(),
                missing=kind.nothing_to_draw(),
                stand_ins=kind.stand_ins(),
            )
        return job_settings.DrawingsSettings(
            drawings=drawings,
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.drawings", *plan.modules(self.catalogue, experiments)),
        )

    def example_data_job(self) -> job_settings.JobSettings:
        """Return the inputs of the job that writes the data of the example as files."""
        return job_settings.JobSettings(code=fingerprint("kinseq.readers.writers"))

    def example_job(self) -> job_settings.ExampleSettings:
        """Return the inputs of the job of the example; the data decide which models and features serve, so all of them count."""
        default = [measures.modules()[MEASURE], clusterers.modules()[EXAMPLE_CLUSTERER]]
        entries = [*default, *model_kinds.modules().values(), *features.modules().values()]
        page = HOMES["kinseq"] / "kinseq" / "report"
        return job_settings.ExampleSettings(
            options=["-k", "9", "--name", EXAMPLE, "--seed", str(self.seed)],
            templates=digest_of(*sorted(path for path in page.iterdir() if path.suffix in (".css", ".jinja", ".js"))),
            code=fingerprint("kinseq.analysis", "kinseq.cli.commands", *sorted({entry.module for entry in entries})),
        )

    def multiverse_matrices_job(
        self, experiment: str, dataset: str, levels: str, trials: str
    ) -> job_settings.MultiverseMatricesSettings:
        """Return the inputs of a job of the matrices of a multiverse."""
        kind: Any = self.planned(experiment)
        return job_settings.MultiverseMatricesSettings(
            **kind.specs(dataset, tuple(split(levels))),
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.multiverse_matrices", *kind.modules()),
        )

    def multiverse_pass_job(self, experiment: str, dataset: str, trials: str) -> job_settings.MultiversePassSettings:
        """Return the inputs of a pass over the matrices of a multiverse."""
        kind: Any = self.planned(experiment)
        return job_settings.MultiversePassSettings(
            axes=kind.pass_axes(),
            clusterers=kind.of_items(dataset),
            trials=parse_trials(trials),
            seed=self.seed,
            code=fingerprint("kinseq_documents.stages.multiverse", *kind.clusterer_modules()),
        )

    def all_readings_job(self, known: Catalogue, experiment: str) -> job_settings.RenderSettings:
        """Return the inputs of the job that puts the passes of a multiverse together."""
        kind = plan.planned(known, experiment)
        return job_settings.RenderSettings(
            experiment=kind.experiment,
            labels=kind.labels(),
            missing=kind.missing(),
            code=fingerprint("kinseq_documents.rendering.multiverse"),
        )

    def table_job(self, known: Catalogue, experiment: str) -> job_settings.TableSettings:
        """Return the inputs of the job of a table."""
        kind = plan.planned(known, experiment)
        return job_settings.TableSettings(
            experiment=kind.experiment,
            labels=kind.labels(),
            missing=kind.missing(),
            metrics=kind.metrics(),
            sections=list(kind.sections),
            is_empty=bool(kind.nothing_to_draw()),
            code=self._code_with_metrics([experiment], "kinseq_documents.stages.tables"),
        )

    def figure_job(self, known: Catalogue, experiment: str) -> job_settings.FigureSettings:
        """Return the inputs of the job of a figure."""
        kind = plan.planned(known, experiment)
        return job_settings.FigureSettings(
            experiment=kind.experiment,
            labels=kind.labels(),
            missing=kind.nothing_to_draw(),
            stand_ins=kind.stand_ins(),
            code=self._code_with_metrics([experiment], "kinseq_documents.stages.figures"),
        )

    def fidelity_job(self, known: Catalogue) -> job_settings.FidelitySettings:
        """Return the inputs of the job that compares all scores with the printed numbers."""
        return job_settings.FidelitySettings(
            experiments=[
                job_settings.Assessed(
                    experiment=self.catalogue.experiments[name],
                    is_printed=bool(self.printed(name)),
                    missing=plan.planned(known, name).missing(),
                    decided_on=plan.data_kinds_of_claims(known, name, self.in_print),
                )
                for name in self.scored
            ],
            labels=plan.labels(self.catalogue, self.scored),
            code=self._code_with_metrics(
                self.scored,
                "kinseq_documents.rendering.fidelity",
                "kinseq_documents.rendering.errata",
                "kinseq_documents.evaluation.fidelity",
                "kinseq_documents.evaluation.claims",
            ),
        )

    def undecided_job(self, known: Catalogue) -> job_settings.UndecidedSettings:
        """Return the inputs of the job that lists what the trials leave undecided."""
        assessed = self.fidelity_job(known)
        experiments = {name: self.planned(name).experiment for name in self.scored}
        return job_settings.UndecidedSettings(
            experiments=assessed.experiments,
            labels=assessed.labels,
            trials={
                name: one.trials[self.settings["scale"]]
                for name, one in experiments.items()
                if isinstance(one, ComparisonExperiment)
            },
            code=self._code_with_metrics(self.scored, "kinseq_documents.evaluation.settling"),
        )

    def index_job(self, known: Catalogue, version: str, choices: Path) -> job_settings.IndexSettings:
        """Return the inputs of the job of the front page.

        `version` is that of kinseq, `choices` a table of how the readings were chosen, which may be absent.
        """
        beside = [("Own data, an example", page) for page in self.example_files(known) if page.endswith(".html")]
        settings = {
            **self._run(),
            "version": version,
            "readings": plan.readings(self.catalogue, self.chosen),
            "choices": choices.read_text(encoding="utf-8") if choices.is_file() else "",
            "beside": beside,
        }
        template = HOMES["kinseq_documents"] / "kinseq_documents" / "rendering" / "index.html.jinja"
        return job_settings.IndexSettings(
            listed=plan.listed(known, self.chosen),
            settings=settings,
            # Not an input of the job, since that would be a different file in another copy of the workflow.
            template=digest_of(template),
            code=fingerprint("kinseq_documents.rendering.index"),
        )

    def record_job(self, known: Catalogue, experiments: Sequence[str]) -> job_settings.RecordSettings:
        """Return the inputs of the job that writes what is published of a document, by its experiments."""
        return job_settings.RecordSettings(
            experiments=[self._record_of(known, name) for name in experiments],
            labels=plan.labels(self.catalogue, experiments),
            families=plan.families(self.catalogue, experiments),
            roots=[str(root) for root in self.roots],
            settings=self._run(),
            code=self._code_with_metrics(
                experiments,
                "kinseq_documents.rendering.records",
                "kinseq_documents.evaluation.fidelity",
                "kinseq_documents.evaluation.readings",
            ),
        )

    def _run(self) -> dict[str, Any]:
        """Return the facts on the run for pages."""
        return {"scale": self.settings["scale"], "seed": self.seed}

    def _record_of(self, known: Catalogue, experiment: str) -> job_settings.Recorded:
        """Return the part of a document's record on one experiment."""
        kind = plan.planned(known, experiment)
        return job_settings.Recorded(
            listed=plan.listed(known, [experiment])[0],
            experiment=kind.parsed if kind.is_scored else None,
            printed=self.printed(experiment),
            missing=kind.missing(),
            decided_on=plan.data_kinds_of_claims(known, experiment, self.in_print),
            home=plan.home_document(self.catalogue, experiment),
            configuration=plan.configuration_digest(self.catalogue, experiment, self._printed_text(experiment)),
            shows_third_party=plan.shows_third_party(known, experiment),
            readings=plan.readings(self.catalogue, [experiment]),
            data={name: self._of_record(name) for name in kind.datasets() if name not in known.missing},
        )

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
        """Return folders of data read from files; after a move, the table of available data is made again."""
        held = [name for name in self.here if not generated(self.catalogue, name)]
        return {name: str(acquire.locate(name, self.datasets[name], self.roots) or "") for name in held}

    # Fingerprints of code shared by several jobs

    def _code_of_loader(self, dataset: str) -> str:
        """Return the digest of the code of a job that makes the sequences of a data set."""
        entry, known = self.datasets[dataset], features.modules()
        requested = entry.get("params", {}).get("features")
        recipe = requested.get("recipe") if isinstance(requested, Mapping) else requested
        modules = [known[recipe].module] if isinstance(recipe, str) and recipe in known else []
        return fingerprint("kinseq_documents.stages.sequences", loaders.modules()[entry["loader"]].module, *modules)

    def _code_with_metrics(self, experiments: Iterable[str], *modules: str) -> str:
        """Of a job that calls some modules with the metrics of some experiments."""
        return fingerprint(*modules, *plan.metric_modules(self.catalogue, experiments))
