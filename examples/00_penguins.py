"""A first answer: the groups that 344 penguins form, how sure that is, and what makes them differ."""

import sys
from pathlib import Path

import partita as pt

table, species = pt.datasets.load_penguins()  # numbers, categories and gaps; the species are kept aside
print("Sampling four chains: about a minute, half of it to compile once ...", file=sys.stderr)
mixture = pt.BayesianMixture(n_draws=400, random_state=1).fit(table)
summary = pt.summarize(mixture)
print(summary.answer)
print(summary.caveats)
for sentence in pt.describe_clusters(mixture, table).words:
    print(f"  {sentence}")

print("\nThe species, which partita did not see:")
print(pt.compare_partitions(species, summary.estimate).table.rename_axis(index=None, columns=None))

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/penguins")
folder.mkdir(parents=True, exist_ok=True)
summary.certainty.items.to_csv(folder / "certainty.csv", index_label="item")
pt.write_report(summary, folder / "report.html", data=table, title="344 penguins")
print(f"\nEach penguin's cluster and how sure it is: {folder}/certainty.csv")
print(f"The whole answer, for a browser: {folder}/report.html")
