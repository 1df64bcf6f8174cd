import { FailureLog } from './failure-log.ts'
import type { Log } from './log.ts'

/** Work that is done again and again until it is stopped. */
export interface Periodic {
  /** Starts no further run, and waits for one that is going. */
  stop(): Promise<void>
}

/**
 * Runs `work` every `intervalMs`, but skips a run while the one before is still going. An error is logged and ends only
 * that run.
 * @param name of the work, as in "… failed"
 */
export function every(intervalMs: number, name: string, work: () => Promise<unknown>, log: Log): Periodic {
  const failures = new FailureLog(log, name)
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= failures.watch(work()).finally(() => {
      running = undefined
    })
  }, intervalMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
