import { readFileSync, writeFileSync } from 'node:fs'
import { figures, readmeFigures } from './benchmarks/tables.ts'
import { fillMarks } from './marks.ts'

/** `docs/benchmarks.md` with the figures that the benches have kept. `npm test` fails when it is another. */
export function renderBenchmarks(page: string): string {
  return Object.entries(figures).reduce(
    (filled, [name, render]) => fillMarks(filled, `figures: ${name}`, render()),
    page,
  )
}

/** The README with its few figures out of the same results. */
export function renderReadme(page: string): string {
  return fillMarks(page, 'figures', readmeFigures())
}

if (import.meta.main) {
  const root = new URL('../', import.meta.url)
  const rewrite = (name: string, render: (page: string) => string) => {
    const page = new URL(name, root)
    writeFileSync(page, render(readFileSync(page, 'utf8')))
  }
  rewrite('docs/benchmarks.md', renderBenchmarks)
  rewrite('README.md', renderReadme)
}
