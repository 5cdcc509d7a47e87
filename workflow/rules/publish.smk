# What is published of a document, for make publish: everything that belongs to it has to be there, or what `experiments` names of it.
for _document, _members in PROJECT.documents.items():

    rule:
        name:
            f"record_{_document}"
        input:
            in_results(PROJECT.products(_members)),
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
            told=lambda wildcards, members=_members: PROJECT.record_settings(current_catalogue(), members),
            labels=plan.labels(CATALOGUE, _members),
            families=plan.families(CATALOGUE, _members),
            settings={"scale": config["scale"], "seed": SEED},
            results=lambda wildcards, output: str(Path(output[0]).parents[1]),
            roots=[str(root) for root in PROJECT.roots],
            code=lambda wildcards, members=_members: PROJECT.code_with_metrics(
                members,
                "kinseq_documents.rendering.records",
                "kinseq_documents.evaluation.fidelity",
                "kinseq_documents.evaluation.readings",
            ),
        message:
            f"What is published of {_document}"
        script:
            "../scripts/record.py"
