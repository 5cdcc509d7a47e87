"""
How close is a regenerated table?
=================================

Every printed number of the documents is compared with the regenerated one and gets a verdict. This page was generated while
the site was built, for one table (``snakemake V_tab4_1``): three clusterings of wines, and their vote.
`Open it by itself <../live/fidelity/fidelity.html>`__.

.. raw:: html

   <iframe class="live" src="../live/fidelity/fidelity.html" title="Fidelity of a table" loading="lazy"></iframe>

The tolerances of the verdicts, for errors in percent:
"""

import matplotlib.pyplot as plt

bands = {"reproduced": (-1, 1), "close": (-3, 3), "better": (-8, -3), "worse": (3, 8)}
colours = {"reproduced": "#1b7837", "close": "#a6dba0", "better": "#92c5de", "worse": "#f4a582"}
figure, axis = plt.subplots(figsize=(8, 1.8), layout="constrained")
for name in ("close", "reproduced", "better", "worse"):
    low, high = bands[name]
    axis.axvspan(low, high, color=colours[name], label=name)
axis.set(xlim=(-8, 8), yticks=[], xlabel="regenerated less printed error, percentage points")
axis.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
plt.show()

# %%
# A difference within two combined standard errors also counts as reproduced. :doc:`/tutorials/regenerate-a-table` shows how to make
# such a page.
