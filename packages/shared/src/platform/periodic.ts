import type { Log } from './log.ts'

/** Work that is done again and again until it is stopped. */
export interface Periodic {
  stop(): Promise<void>
}

/** Runs `work` every `intervalMs`, never twice at a time. An error is logged and the next turn comes as usual. */
export function every(intervalMs: number, name: string, work: () => Promise<unknown>, log: Log): Periodic {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= work()
      .catch((error) => log.warn({ err: error }, `${name} failed`))
      .finally(() => {
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
