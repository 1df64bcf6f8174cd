// Run by threads.system.test.ts: ends the process with exit code 3 while another thread encodes.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import {
  closeEncoderGate,
  type EncoderGate,
  newEncoderGate,
  openEncoder,
} from '../../packages/engine/src/encoder/encoder.ts'

if (isMainThread) {
  const gate = newEncoderGate()
  process.on('exit', () => closeEncoderGate(gate))
  const worker = new Worker(new URL(import.meta.url), { workerData: gate })
  worker.once('message', () => setTimeout(() => process.exit(3), 50))
} else {
  const encoder = await openEncoder('models', { gate: workerData as EncoderGate })
  parentPort!.postMessage('open')
  for (;;) await encoder.encode('I moved to Lisbon in the spring of 2021. '.repeat(20))
}
