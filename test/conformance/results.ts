import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** What a suite of tests that others have written says of the service. */
export interface SuiteResult {
  /** Names it, and the part of it that was run. */
  suite: string
  /** The package that it is published in, and its version. */
  package: string
  version: string
  passed: number
  /** What does not apply, each with why. */
  skipped: { test: string; why: string }[]
}

const file = new URL('results.json', import.meta.url)

/** What the suites said last, as `docs/conformance.md` tells it. */
export const readResults = (): SuiteResult[] => JSON.parse(readFileSync(file, 'utf8'))

/**
 * Makes sure that the page tells what a suite says now. With `CONFORMANCE=keep` it is kept for the page, of which
 * `npm run conformance` makes use.
 */
export function expectKept(result: SuiteResult): void {
  const others = readResults().filter(({ suite }) => suite !== result.suite)
  if (process.env.CONFORMANCE === 'keep') {
    const all = [...others, result].sort((a, b) => a.suite.localeCompare(b.suite))
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
    return
  }
  expect(readResults().find(({ suite }) => suite === result.suite)).toEqual(result)
}
