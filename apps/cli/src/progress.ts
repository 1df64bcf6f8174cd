import cliProgress from 'cli-progress'
import type { Output } from './command.ts'
import { count, duration } from './format.ts'

export interface Progress {
  /** `done` is in the unit of `total`; `counted` is all so far, also of earlier runs. */
  update(done: number, counted: number): void
  /** A line beside the bar. */
  note(line: string): void
  stop(): void
}

interface ProgressStart {
  /** Where the work ends; undefined when that is unknown. */
  total: number | undefined
  done: number
  counted: number
  /** What is counted. */
  unit: string
  /** The name of the task, where a command does several. */
  task?: string
}

const plainLineEveryMs = 5_000

/** A bar with what is done a second and the time left on a terminal; elsewhere a plain line every 5 seconds. */
export function startProgress(output: Output, start: ProgressStart): Progress {
  const startedAt = performance.now()
  const task = start.task === undefined ? '' : `${start.task}: `
  const describe = (done: number, counted: number) => {
    const seconds = (performance.now() - startedAt) / 1_000
    const rate = (counted - start.counted) / seconds
    const left = ((start.total ?? 0) - done) / ((done - start.done) / seconds)
    return {
      counted: `${task}${count(counted)} ${start.unit}`,
      rate: seconds < 0.5 ? '-' : rate.toFixed(rate < 10 ? 1 : 0),
      left: Number.isFinite(left) && left >= 0 ? duration(left) : '-',
    }
  }
  const { terminal } = output
  const { total } = start
  return terminal !== undefined && total !== undefined
    ? barProgress(terminal, { ...start, total }, describe)
    : plainProgress(output, start, describe)
}

type Describe = (done: number, counted: number) => { counted: string; rate: string; left: string }

function barProgress(
  terminal: NodeJS.WriteStream,
  { total, done, counted }: ProgressStart & { total: number },
  describe: Describe,
): Progress {
  const bar = new cliProgress.SingleBar(
    {
      stream: terminal,
      format: '{bar} {percentage} %  {counted}  {rate}/s  {left} left',
      barsize: 30,
      fps: 5,
      linewrap: null,
      // Redrawn also when nothing moved: a note may have taken the bar's line.
      forceRedraw: true,
    },
    cliProgress.Presets.shades_classic,
  )
  bar.start(total, done, describe(done, counted))
  return {
    update: (nowDone, nowCounted) => bar.update(nowDone, describe(nowDone, nowCounted)),
    note: (line) => terminal.write(`\r\x1b[K${line}\n`),
    stop: () => bar.stop(),
  }
}

function plainProgress(output: Output, { total }: ProgressStart, describe: Describe): Progress {
  let shownAt = performance.now()
  return {
    update(done, counted) {
      if (performance.now() - shownAt < plainLineEveryMs) return
      shownAt = performance.now()
      const shown = describe(done, counted)
      const share = total === undefined ? '' : `, ${Math.floor((100 * done) / total)} %, ${shown.left} left`
      output.write(`${shown.counted}, ${shown.rate}/s${share}`)
    },
    note: (line) => output.write(line),
    stop() {},
  }
}
