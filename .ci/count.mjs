// Adds up the "Tests  N failed | N passed" and "test result: ok. N passed; N failed" lines of the log, tells what failed and where, prints the sum and exits non-zero on any failure.
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const [file, ...brokenRuns] = process.argv.slice(2)
const lines = stripVTControlCharacters(readFileSync(file, 'utf8')).split('\n')
const totals = { passed: 0, failed: 0 }
for (const line of lines) {
  if (!/^\s*Tests\s|^test result:/.test(line)) continue
  for (const [, count, what] of line.matchAll(/(\d+) (passed|failed)/g)) totals[what] += Number(count)
}
// A log of thousands of lines is often kept by its end alone: what failed is told again here.
lines.forEach((line, index) => {
  if (/^\s*FAIL\s|Unhandled (Error|Rejection)|^test .* FAILED$/.test(line))
    console.log(lines.slice(index, index + 12).join('\n'))
})
for (const run of brokenRuns) console.log(`failed: ${run}`)
// A run that broke outside its tests has failed too.
if (brokenRuns.length > 0 && totals.failed === 0) totals.failed = 1
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed > 0 || totals.passed === 0 ? 1 : 0)
