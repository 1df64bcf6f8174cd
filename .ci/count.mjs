// Adds up the "Tests  N failed | N passed" and "test result: ok. N passed; N failed" lines of the log, prints the sum and exits non-zero on any failure.
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const [file, someRunFailed] = process.argv.slice(2)
const totals = { passed: 0, failed: 0 }
for (const line of stripVTControlCharacters(readFileSync(file, 'utf8')).split('\n')) {
  if (!/^\s*Tests\s|^test result:/.test(line)) continue
  for (const [, count, what] of line.matchAll(/(\d+) (passed|failed)/g)) totals[what] += Number(count)
}
// A run that broke outside its tests has failed too.
if (someRunFailed === '1' && totals.failed === 0) totals.failed = 1
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0)
