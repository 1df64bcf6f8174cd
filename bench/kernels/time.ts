/** A run repeats the call for so many milliseconds, so that the clock and small pauses do not count. */
const warmMs = 60
const runMs = 40
const runs = 5

/** Milliseconds a call, in the fastest run. */
export function time(call: () => unknown): number {
  repeat(call, warmMs)
  return Math.min(...Array.from({ length: runs }, () => repeat(call, runMs)))
}

function repeat(call: () => unknown, milliseconds: number): number {
  const started = performance.now()
  let calls = 0
  let elapsed = 0
  while (elapsed < milliseconds) {
    call()
    calls++
    elapsed = performance.now() - started
  }
  return elapsed / calls
}
