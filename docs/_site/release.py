"""Where the repository can be had: the one place that a release fills in; ``make pages`` writes what follows from it."""

from __future__ import annotations

import kinseq

ADDRESS = ""
"""Address of the public repository, such as ``https://example.org/owner/kinseq``; empty until there is one."""


def copy() -> str:
    """Commands that bring a copy and install it."""
    first = (
        f"git clone {ADDRESS} kinseq && cd kinseq"
        if ADDRESS
        else "cd kinseq        # the folder with your copy of this repository"
    )
    return f"```sh\n{first}\nmake install\n```"


def module() -> str:
    """A Snakefile that uses the workflow from a tag."""
    owner = "/".join(ADDRESS.rstrip("/").split("/")[-2:]) if ADDRESS else "OWNER/kinseq"
    lines = [
        "```python",
        "module kinseq:",
        "    snakefile:",
        f'        github("{owner}", path="workflow/Snakefile", tag="v{kinseq.__version__}")',
        "    config:",
        "        config",
        "",
        "",
        "use rule * from kinseq",
        "```",
    ]
    if not ADDRESS:
        lines += [
            "",
            "The repository has no public address yet: `OWNER` stands for it, and a test runs this with a stand-in.",
        ]
    return "\n".join(lines)
