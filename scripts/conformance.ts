import { readFileSync, writeFileSync } from 'node:fs'
import { table } from '../bench/support/results.ts'
import type { SuiteResult } from '../test/conformance/results.ts'
import { fillMarks } from './marks.ts'

const results = JSON.parse(
  readFileSync(new URL('../test/conformance/results.json', import.meta.url), 'utf8'),
) as SuiteResult[]

function suites(): string {
  return table(
    ['suite', 'package', 'passed', 'left out'],
    results.map(({ suite, package: name, version, passed, skipped }) => [
      suite,
      `\`${name}\` ${version}`,
      `${passed} of ${passed + skipped.length}`,
      String(skipped.length),
    ]),
  )
}

/** How many tests of a suite do not apply, and why: `results.json` has their names. */
function leftOut(): string {
  const rows = results.flatMap(({ suite, skipped }) =>
    [...Map.groupBy(skipped, ({ why }) => why)].map(([why, tests]) => [suite, String(tests.length), why]),
  )
  return rows.length === 0 ? 'Nothing.' : table(['suite', 'tests', 'why'], rows)
}

/** `docs/conformance.md` with what the suites said last. `npm test` fails when it is another. */
export function renderConformance(page: string): string {
  return fillMarks(fillMarks(page, 'conformance: suites', suites()), 'conformance: left out', leftOut())
}

if (import.meta.main) {
  const page = new URL('../docs/conformance.md', import.meta.url)
  writeFileSync(page, renderConformance(readFileSync(page, 'utf8')))
}
