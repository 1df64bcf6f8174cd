import cliProgress from 'cli-progress'
import type { Output } from './command.ts'
import { count, duration } from './format.ts'

export interface Progress {
  /** `done` is in the unit of `total`; `patterns` counts all so far, also those of earlier runs. */
  update(done: number, patterns: number): void
  /** A line beside the bar. */
  note(line: string): void
  stop(): void
}

export interface ProgressStart {
  /** Where the work ends; undefined when that is unknown. */
  total: number | undefined
  done: number
  patterns: number
}

const plainLineEveryMs = 5_000

/** A bar with patterns a second and time left on a terminal; elsewhere a plain line every 5 seconds. */
export function startProgress(output: Output, start: ProgressStart): Progress {
  const startedAt = performance.now()
  const describe = (done: number, patterns: number) => {
    const seconds = (performance.now() - startedAt) / 1_000
    const rate = (patterns - start.patterns) / seconds
    const left = ((start.total ?? 0) - done) / ((done - start.done) / seconds)
    return {
      patterns: count(patterns),
      rate: seconds < 0.5 ? '-' : rate.toFixed(rate < 10 ? 1 : 0),
      left: Number.isFinite(left) && left >= 0 ? duration(left) : '-',
    }
  }
  const bar = output.terminal !== undefined && start.total !== undefined
  return bar
    ? barProgress(output.terminal!, { ...start, total: start.total! }, describe)
    : plainProgress(output, start, describe)
}

type Describe = (done: number, patterns: number) => { patterns: string; rate: string; left: string }

function barProgress(
  terminal: NodeJS.WriteStream,
  { total, done, patterns }: ProgressStart & { total: number },
  describe: Describe,
): Progress {
  const bar = new cliProgress.SingleBar(
    {
      stream: terminal,
      format: '{bar} {percentage} %  {patterns} patterns  {rate}/s  {left} left',
      barsize: 30,
      fps: 5,
      linewrap: null,
      // Redrawn also when nothing moved: a note may have taken the bar's line.
      forceRedraw: true,
    },
    cliProgress.Presets.shades_classic,
  )
  bar.start(total, done, describe(done, patterns))
  return {
    update: (nowDone, nowPatterns) => bar.update(nowDone, describe(nowDone, nowPatterns)),
    note: (line) => terminal.write(`\r\x1b[K${line}\n`),
    stop: () => bar.stop(),
  }
}

function plainProgress(output: Output, { total }: ProgressStart, describe: Describe): Progress {
  let shownAt = performance.now()
  return {
    update(done, patterns) {
      if (performance.now() - shownAt < plainLineEveryMs) return
      shownAt = performance.now()
      const shown = describe(done, patterns)
      const share = total === undefined ? '' : `, ${Math.floor((100 * done) / total)} %, ${shown.left} left`
      output.write(`${shown.patterns} patterns, ${shown.rate}/s${share}`)
    },
    note: (line) => output.write(line),
    stop() {},
  }
}
