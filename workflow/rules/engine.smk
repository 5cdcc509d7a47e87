# All that relies on the insides of Snakemake, or changes the process while rules are read: where the files of the workflow and kinseq
# itself are (in a checkout, or in a tag of a repository), the search path, variables of the environment, what --list says of rules.
import os
import re
import sys
import tarfile
import tempfile
from pathlib import Path

from snakemake.exceptions import WorkflowError


def folder_of_workflow():
    """Folder that holds the workflow, its configuration and its source: the checkout, or a copy of what a tag holds.

    Snakemake fetches rules, scripts and environments of a workflow in a repository one by one. What is listed, imported
    or an input has to be there as files.
    """
    place = workflow.current_basedir
    if isinstance(place, os.PathLike):
        return Path(place).parents[1]
    if not hasattr(place, "hosted_repo"):
        raise WorkflowError(
            f"{place}: is not supported; name the workflow by github() or gitlab(), or by a clone of it"
        )
    repository = place.hosted_repo.repo
    folder = Path(".snakemake", "kinseq", repository.commit(place.ref).hexsha).absolute()
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
            archive, whole = Path(temporary, "files.tar"), Path(temporary, "whole")
            files = ("src", "config", "docs/reference/errata.md", "workflow/schemas", "workflow/kinseq_documents")
            repository.git.archive(place.ref, *files, output=str(archive))
            with tarfile.open(archive) as packed:
                packed.extractall(whole, filter="data")
            try:
                whole.rename(folder)
            except OSError:
                # Another process was first.
                if not folder.is_dir():
                    raise
    return folder


ROOT = folder_of_workflow()
SOURCE = ROOT / "src"
WORKFLOW = ROOT / "workflow"
# Snakemake hands its search path on to the scripts, in environments of conda too. At its end, as there: a kinseq that is
# installed goes first, while planning and in every job, and has to be the same one.
sys.path += [str(SOURCE), str(WORKFLOW)]

import kinseq
import kinseq_documents


def modules_in(folder):
    """Text of every module of the packages in a folder."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.glob("kinseq/**/*.py")}


def require_same(home):
    """Refuse a kinseq other than the one that the rules and the scripts are written for."""
    if home != SOURCE.resolve() and modules_in(home) != modules_in(SOURCE):
        text = (SOURCE / "kinseq" / "__init__.py").read_text(encoding="utf-8")
        version = re.search(r'^__version__ = "(.+)"$', text, flags=re.MULTILINE)[1]
        raise WorkflowError(
            f"kinseq {kinseq.__version__} in {home} is not kinseq {version} of this workflow, in {SOURCE};"
            " remove it (pip uninstall kinseq), since the workflow brings its own, or install the same there"
        )


HOME = Path(kinseq.__file__).resolve().parents[1]
require_same(HOME)
if Path(kinseq_documents.__file__).resolve().parents[1] != WORKFLOW.resolve():
    raise WorkflowError(
        f"{kinseq_documents.__file__} is not that of this workflow, in {WORKFLOW}; remove it (pip uninstall kinseq)"
    )
from kinseq.core.errors import KinseqError
from kinseq_documents import jobs

# One thread a job where no more are asked for; numbers must not depend on how a BLAS splits its work.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

# Jobs refuse any other copy, since they would run it under the fingerprints of this one.
try:
    os.environ[jobs.HOME], os.environ[jobs.BESIDE] = jobs.homes()
except KinseqError as error:
    raise WorkflowError(str(error)) from None


envvars:
    "KINSEQ_HOME",
    "KINSEQ_BESIDE",


def explain(target, text):
    """Describe a target for ``snakemake --list``; a workflow that includes this one may rename or leave out the target."""
    name = workflow.modifier.modify_rulename(target)
    if workflow.is_rule(name):
        workflow.get_rule(name).docstring = text
