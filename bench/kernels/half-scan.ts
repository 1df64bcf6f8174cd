/** The second thread of a search by two; `two-threads.ts` starts it, and ends it. */
import { parentPort, workerData } from 'node:worker_threads'
import { nativeKernels } from '../../packages/engine/src/kernels/kernels.ts'
import { Control, type Half } from './half.ts'
import { alive } from './matrix.ts'

if (nativeKernels === null) throw new Error('The native kernels are not built.')
const { matrix, query, k, control, labels, scores } = workerData as Half
let done = 0
parentPort?.postMessage('ready')
for (;;) {
  Atomics.wait(control, Control.awake, 0)
  while (Atomics.load(control, Control.awake) === 1) {
    const asked = Atomics.load(control, Control.asked)
    if (asked === done) continue
    const found = nativeKernels.nearest(matrix, query, k, -1, alive)
    labels.set(found.labels)
    scores.set(found.scores)
    done = asked
    Atomics.store(control, Control.answered, done)
  }
}
