import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { duration } from '../../apps/cli/src/format.ts'
import { startProgress } from '../../apps/cli/src/progress.ts'

it('draws a bar on a terminal, and notes beside it', () => {
  let drawn = ''
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 120,
    cursorTo() {},
    clearLine() {},
  })
  terminal.on('data', (chunk) => {
    drawn += chunk
  })
  const progress = startProgress(
    { write() {}, terminal: terminal as unknown as NodeJS.WriteStream },
    { total: 1_000, done: 0, counted: 0, unit: 'patterns' },
  )
  progress.update(500, 1_234)
  progress.note('The service answered 503; trying again in 1 s.')
  progress.stop()
  expect(drawn).toContain('50 %')
  expect(drawn).toContain('1,234 patterns')
  expect(drawn).toContain('trying again in 1 s.\n')
})

it('writes plain lines elsewhere, not more often than every few seconds', () => {
  const lines: string[] = []
  const progress = startProgress(
    { write: (line) => lines.push(line) },
    { total: undefined, done: 0, counted: 0, unit: 'patterns' },
  )
  for (let n = 0; n < 100; n++) progress.update(n, n)
  progress.note('beside')
  progress.stop()
  expect(lines).toEqual(['beside'])
})

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [90, '2 min'],
  [3_600, '1 h'],
  [5_400, '1 h 30 min'],
])('shows %d seconds as %s', (seconds, shown) => {
  expect(duration(seconds)).toBe(shown)
})
