import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showSteps } from '../../apps/cli/src/backup-steps.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const mib = 2 ** 20

it('shows where no terminal is how far each step of a backup is, every few seconds', () => {
  const lines: string[] = []
  const { onStep, stop } = showSteps({ write: (line) => lines.push(line) })
  const second = (...step: Parameters<typeof onStep>) => {
    vi.advanceTimersByTime(1_000)
    onStep(...step)
  }
  for (let done = 0; done <= 10; done++) second('copy', done * 100 * mib, 4_000 * mib)
  onStep('rows', 0, undefined)
  for (let done = 0; done <= 5; done++) second('checksums', done * 100 * mib, 1_000 * mib)
  stop()
  expect(lines).toEqual([
    'Copying: 500 of 4,000 MiB, 100/s, 12 %, 35 s left',
    'Copying: 1,000 of 4,000 MiB, 100/s, 25 %, 30 s left',
    'Counting rows.',
    'Checksums: 500 of 1,000 MiB, 100/s, 50 %, 5 s left',
  ])
})

it('shows how large a dump is of which nobody knows how large it becomes', () => {
  const lines: string[] = []
  const { onStep } = showSteps({ write: (line) => lines.push(line) })
  for (let done = 0; done <= 5; done++) {
    onStep('copy', done * mib, undefined)
    vi.advanceTimersByTime(1_000)
  }
  expect(lines).toEqual(['Copying: 5 MiB, 1.0/s'])
})
