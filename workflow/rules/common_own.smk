from kinseq_app.readers.batches import Cut, cut
from kinseq_app.readers.finding import LABELS_FILE
from kinseq.features import registry as feature_registry
from kinseq_app import memory, request
from kinseq.analysis.settings import Settings

EXAMPLE = request.EXAMPLE
EXAMPLE_DATA = "japanese_vowels"


def own_settings(given):
    """The key `own` of the configuration, checked as far as it can be without reading the data."""
    try:
        return request.checked(given, RESULTS)
    except KinseqError as error:
        raise WorkflowError(f"config, own: {error}") from None


def own_cut(given):
    """In how many batches the user's data are read: 1 where a single job does all."""
    return asked(cut, given["data"], given.get("labels", LABELS_FILE), given.get("kind"), given.get("batches"))


OWN = own_settings(config["own"]) if config.get("own") else None
OWN_CUT = own_cut(OWN) if OWN else Cut(1, "")
OWN_PARTS = "<results>/own/{name}/.parts"


def own_of(wildcards):
    """Settings of one analysis: the user's, or those of the example."""
    if wildcards.name == EXAMPLE:
        return {"name": EXAMPLE, "k": 9}
    if OWN is None or wildcards.name != OWN["name"]:
        raise WorkflowError(f"own/{wildcards.name}: set own.data and own.name in the configuration to make it")
    return OWN


def own_stamp(wildcards):
    """Stamp of every file that an analysis reads, so that a change of any of them is seen."""
    return "" if wildcards.name == EXAMPLE else OWN_CUT.stamp


def own_batches(pattern):
    """A file of each batch."""
    return [pattern.replace("{batch}", str(batch)) for batch in range(OWN_CUT.number)]


def own_inputs(wildcards):
    """What an analysis is made of: the data of the example, what the jobs of a large one leave, or files of the user's."""
    if wildcards.name == EXAMPLE:
        return {"data": f"<results>/own/{EXAMPLE}/data"}
    if OWN_CUT.number == 1:
        return {}
    files = {"found": "clusters.pkl", "whole": "whole.pkl"}
    return {name: f"{OWN_PARTS}/{file}" for name, file in files.items()} | {
        "assigned": own_batches(f"{OWN_PARTS}/assigned/{{batch}}.pkl")
    }


def own_growing(step):
    """Memory of a job of an analysis: by the user's data, and more when it is tried again; the example is small."""

    def amount(wildcards, attempt):
        given = own_of(wildcards)
        cut = Cut(1, "") if wildcards.name == EXAMPLE else OWN_CUT
        return memory.asked(step, cut, given.get("sample", Settings.sample)) * attempt

    return amount


def own_views(wildcards):
    """What of the first measure has a job of its own."""
    # Here, since much is imported that only large data need.
    from kinseq_app.batched import names_of_views

    return [f"{OWN_PARTS}/views/{view}.pkl" for view in asked(names_of_views, own_of(wildcards))]


def own_reading(wildcards):
    """What of the settings decides what is opened."""
    from kinseq_app.batched import reading

    return reading(own_of(wildcards))


def code_of_reading(wildcards):
    """Fingerprint of what opens files."""
    features = sorted({entry.module for entry in feature_registry.modules().values()})
    return fingerprint("kinseq_app.readers.batches", *features)


def own_command(wildcards):
    """The command that repeats an analysis."""
    # make is in the checkout alone, and not where the workflow is used from a tag.
    return request.repeating(own_of(wildcards), SEED, RESULTS, make=ROOT == Path.cwd())


def own_modules(wildcards):
    """Fingerprint of the analysis and of the measures, kinds of models and features that it may ask for."""
    return fingerprint(*request.modules(own_of(wildcards)))


def own_templates(wildcards):
    """Digest of what the page is written by that is no module."""
    folder = SOURCE / "kinseq_app" / "page"
    return digest_of(*sorted(path for path in folder.iterdir() if path.suffix in (".css", ".jinja", ".js")))


def example_files():
    """The worked example, where it is part of everything: its data are here and no experiments were picked."""
    wanted = config["experiments"] == "all" and EXAMPLE_DATA in AVAILABLE
    return [f"<results>/own/{EXAMPLE}/{file}" for file in request.FILES] if wanted else []
