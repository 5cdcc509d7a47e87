def published_text(experiment):
    """Printed numbers of an experiment as their file holds them."""
    return "".join(Path(path).read_text(encoding="utf-8") for path in published_of(experiment))


def told_of(experiments):
    """What a record is told of each experiment, with the data that can be had."""
    cat = current_catalogue()
    return [
        {
            "listed": plan.listed(cat, [name])[0],
            "parsed": CATALOGUE.experiments[name] if plan.is_scored(CATALOGUE, name) else None,
            "printed": published_of(name),
            "unavailable": plan.missing(cat, name),
            "decided_on": plan.decided_on(cat, name),
            "home": plan.home(CATALOGUE, name),
            "configuration": plan.configuration_digest(CATALOGUE, name, published_text(name)),
            "shows_third_party": plan.shows_third_party(cat, name),
            "readings": plan.readings(CATALOGUE, [name]),
            "data": {
                dataset: {
                    "title": DATASETS[dataset]["title"],
                    "generated": generated(CATALOGUE, dataset),
                    "bundled": "bundled" in DATASETS[dataset],
                    "entry": {
                        key: DATASETS[dataset][key]
                        for key in ("folder", "files", "bundled")
                        if key in DATASETS[dataset]
                    },
                }
                for dataset in plan.planned(cat, name).datasets()
                if dataset not in cat.missing
            },
        }
        for name in experiments
    ]


# What is published of a document, for make publish: everything that belongs to it has to be there, or what `experiments` names of it.
for _document, _members in plan.documents(CATALOGUE.experiments).items():
    _members = [member for member in _members if member in CHOSEN]

    rule:
        name:
            f"record_{_document}"
        input:
            [in_results(plan.products(CATALOGUE, member)) for member in _members],
            lambda wildcards: current_catalogue() and [],
        output:
            f"<results>/documents/{_document}.json",
        log:
            f"<logs>/documents/{_document}.log",
        benchmark:
            f"<benchmarks>/documents/{_document}.tsv"
        conda:
            "../../envs/render.yaml"
        threads: 1
        resources:
            mem_mb=growing(1000),
            runtime=growing(10),
        params:
            told=lambda wildcards, members=_members: told_of(members),
            labels=plan.labels(CATALOGUE, _members),
            families=plan.families(CATALOGUE, _members),
            settings={"scale": config["scale"], "seed": SEED},
            results=lambda wildcards, output: str(Path(output[0]).parents[1]),
            roots=[str(root) for root in ROOTS],
            code=code_with_metrics(
                _members,
                "kinseq_documents.rendering.records",
                "kinseq_documents.evaluation.fidelity",
                "kinseq_documents.evaluation.readings",
            ),
        message:
            f"What is published of {_document}"
        script:
            "../scripts/record.py"
