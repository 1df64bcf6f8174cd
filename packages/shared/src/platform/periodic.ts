import { FailureLog } from './failure-log.ts'
import type { Log } from './log.ts'

/** Work that is done again and again until it is stopped. */
export interface Periodic {
  stop(): Promise<void>
}

/** Runs `work` every `intervalMs`, never twice at a time. After an error the next turn comes as usual. */
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
