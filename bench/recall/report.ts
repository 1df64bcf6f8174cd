import { type Found, listLength, recallFigures } from '../support/evidence-recall.ts'
import { table } from '../support/results.ts'

/** What was found, question by question, under each name. */
export class Findings {
  readonly #found = new Map<string, Found[]>()

  add(name: string, ...found: readonly Found[]): void {
    this.#found.set(name, [...(this.#found.get(name) ?? []), ...found])
  }

  /** By name, over all questions and over those of each category. */
  figures() {
    const categories = [...new Set([...this.#found.values()].flat().map((one) => one.category))].sort()
    return Object.fromEntries(
      [...this.#found].map(([name, results]) => [
        name,
        {
          all: recallFigures(results),
          ...Object.fromEntries(
            categories.map((category) => [
              category,
              recallFigures(results.filter((one) => one.category === category)),
            ]),
          ),
        },
      ]),
    )
  }

  table(heading: string, byCategory = false): string {
    const rows = Object.entries(this.figures()).flatMap(([name, groups]) =>
      Object.entries(groups)
        .filter(([group]) => byCategory || group === 'all')
        .map(([group, { questions, recallAt5, recallAt10, mrr }]) => [
          name,
          ...(byCategory ? [group] : []),
          String(questions),
          recallAt5.toFixed(1),
          recallAt10.toFixed(1),
          mrr.toFixed(3),
        ]),
    )
    const header = [heading, ...(byCategory ? ['questions'] : []), 'n', 'recall@5', 'recall@10']
    return table([...header, `MRR@${listLength}`], rows)
  }
}
