from kinseq_app.readers.finding import LABELS_FILE
from kinseq_app.readers.stamping import Extent, extent
from kinseq_app import request
from kinseq_app.readers import memory
from kinseq.analysis.settings import Settings

EXAMPLE = request.EXAMPLE
EXAMPLE_DATA = "japanese_vowels"


def own_settings(settings):
    """The key `own` of the configuration, checked as far as it can be without reading the data."""
    try:
        return request.checked(settings, RESULTS)
    except KinseqError as error:
        raise WorkflowError(f"config, own: {error}") from None


OWN = own_settings(config["own"]) if config.get("own") else None
# As many as snakemake is given, up to this.
OWN_THREADS = 32
OWN_EXTENT = (
    checked_call(extent, OWN["data"], OWN.get("labels", LABELS_FILE), OWN.get("kind"), OWN.get("segments"))
    if OWN
    else Extent("")
)


def own_of(wildcards):
    """Settings of one analysis: the user's, or those of the example."""
    if wildcards.name == EXAMPLE:
        return {"name": EXAMPLE, "k": 9}
    if OWN is None or wildcards.name != OWN["name"]:
        raise WorkflowError(f"own/{wildcards.name}: set own.data and own.name in the configuration to make it")
    return OWN


def own_stamp(wildcards):
    """Stamp of every file that an analysis reads, so that a change of any of them is seen."""
    return "" if wildcards.name == EXAMPLE else OWN_EXTENT.stamp


def own_inputs(wildcards):
    """The data of the example; files of the user's own are seen by their stamp."""
    return {"data": f"<results>/own/{EXAMPLE}/data"} if wildcards.name == EXAMPLE else {}


def own_memory(wildcards, attempt):
    """Memory of an analysis: by the user's data, and more when it is tried again; the example is small."""
    own_extent = Extent("") if wildcards.name == EXAMPLE else OWN_EXTENT
    return memory.estimate(own_extent, own_of(wildcards).get("sample", Settings.sample)) * attempt


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
    missing = current_catalogue().missing
    wanted = config["experiments"] == "all" and EXAMPLE_DATA in DATASETS and EXAMPLE_DATA not in missing
    return [f"<results>/own/{EXAMPLE}/{file}" for file in request.FILES] if wanted else []
