/**
 * Shared between the threads of a process: how many encoders are inside the runtime, and whether it is closed.
 *
 * Ending a thread while onnxruntime-node runs in it aborts the whole process (`Napi::Error`, signal 6). That is
 * what `process.exit`, an uncaught exception in the main thread, `worker.terminate()` and `piscina.destroy()` do.
 * So whoever ends the threads first closes the gate, which waits for the runs in progress, 0.3 s at most, and
 * lets no other begin.
 */
export type EncoderGate = Int32Array<SharedArrayBuffer>

const RUNNING = 0
const CLOSED = 1

/** An open gate. It can be handed to other threads (`workerData`), and stays one and the same. */
export function newEncoderGate(): EncoderGate {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
}

/**
 * Closes the gate for good and waits, blocking this thread, until no encoder is inside the runtime. Meant for
 * `process.on('exit', …)` in the main thread.
 *
 * @returns false when an encoder was still inside after `timeoutMs`
 */
export function closeEncoderGate(gate: EncoderGate, timeoutMs = 5_000): boolean {
  Atomics.store(gate, CLOSED, 1)
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const running = Atomics.load(gate, RUNNING)
    const leftMs = deadline - performance.now()
    if (running === 0 || leftMs <= 0) return running === 0
    Atomics.wait(gate, RUNNING, running, leftMs)
  }
}

/**
 * Runs `action` inside the gate.
 *
 * @returns undefined, without running it, when the gate is closed
 */
export async function passGate<T>(gate: EncoderGate, action: () => Promise<T>): Promise<T | undefined> {
  // Counted in before looking: the other way round, a gate closed in between would not wait for this run.
  Atomics.add(gate, RUNNING, 1)
  try {
    return Atomics.load(gate, CLOSED) === 0 ? await action() : undefined
  } finally {
    Atomics.sub(gate, RUNNING, 1)
    Atomics.notify(gate, RUNNING)
  }
}
