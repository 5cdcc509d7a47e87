REPORTED = {"svg": "Figures", "page": "Figures", "html": "Tables"}


def files_of_drawings(drawings):
    """Outputs of a job by their names, each a list; which ones a drawing leaves (figure, page, table) differs."""
    outputs = {}
    for one in drawings:
        for kind, file in in_results(PROJECT.planned(one).files).items():
            if kind in REPORTED:
                file = report(
                    file,
                    caption="../report/drawing.rst",
                    category=REPORTED[kind],
                    labels=report_labels("page" if kind == "page" else "", one),
                )
            outputs.setdefault(kind, []).append(file)
    return outputs


# Drawings that are computed from the same files, or from none, share a job: half of their time is imports.
for _job, _drawings in plan.drawing_jobs(CATALOGUE).items():

    rule:
        name:
            _job if len(_drawings) > 1 else f"drawing_{_job}"
        input:
            unpack(drawn_from(_drawings)),
        output:
            **files_of_drawings(_drawings),
        log:
            f"<logs>/drawings/{_job}.log",
        benchmark:
            f"<benchmarks>/drawings/{_job}.tsv"
        # Most can start at once, and compile kernels that others would then compile at the same time.
        priority: 1
        group:
            "draw"
        conda:
            "../../envs/drawing.yaml"
        threads: 1
        resources:
            mem_mb=growing(1500),
            runtime=growing(20),
        params:
            settings=lambda wildcards, drawings=_drawings: given(PROJECT.drawings_job(current_catalogue(), drawings)),
        message:
            f"Drawing {', '.join(_drawings)}"
        script:
            "../scripts/drawings.py"
