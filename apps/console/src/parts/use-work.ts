import { useCallback, useEffect, useRef, useState } from 'react'

/** Long work that a page does: it tells how far it is, and can be stopped. */
export interface Work<Progress, Result> {
  state: 'idle' | 'running' | 'stopped' | 'failed' | 'done'
  progress: Progress | undefined
  result: Result | undefined
  error: unknown
  /** Begins; what was there of an earlier run is gone. */
  run: (work: (signal: AbortSignal, tell: (progress: Progress) => void) => Promise<Result>) => Promise<void>
  stop: () => void
}

type Shown<Progress, Result> = Pick<Work<Progress, Result>, 'state' | 'progress' | 'result' | 'error'>

const idle = { state: 'idle', progress: undefined, result: undefined, error: null } as const

/** Progress is shown so often at most: with every piece of work, showing it would be most of the work. */
const shownEveryMs = 100

/** The work goes on until it is done or the page is left. */
export function useWork<Progress, Result>(): Work<Progress, Result> {
  const [shown, setShown] = useState<Shown<Progress, Result>>(idle)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const run = useCallback<Work<Progress, Result>['run']>(async (work) => {
    stopping.current?.abort()
    const own = new AbortController()
    stopping.current = own
    const show = (next: Partial<Shown<Progress, Result>>) => {
      if (stopping.current === own) setShown((before) => ({ ...before, ...next }))
    }
    setShown({ ...idle, state: 'running' })
    let [last, shownAt]: [Progress | undefined, number] = [undefined, 0]
    try {
      const result = await work(own.signal, (progress) => {
        last = progress
        if (performance.now() - shownAt < shownEveryMs) return
        shownAt = performance.now()
        show({ progress })
      })
      show({ state: 'done', progress: last, result })
    } catch (error) {
      show(
        own.signal.aborted
          ? { state: 'stopped', progress: last }
          : { state: 'failed', progress: last, error },
      )
    }
  }, [])
  const stop = useCallback(() => stopping.current?.abort(), [])
  return { ...shown, run, stop }
}
