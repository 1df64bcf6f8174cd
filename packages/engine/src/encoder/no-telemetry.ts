import { isMainThread } from 'node:worker_threads'

/**
 * Keeps the encoder's runtime from reporting to its maker. Unless this variable is in the environment of the process
 * when it loads, onnxruntime looks up its maker's host, connects to it, and keeps a device id and a queue of events under
 * `~/.cache`.
 *
 * Importing this is enough, before the runtime is loaded and before a thread that loads it is started: the
 * `process.env` of another thread is a copy, which the runtime does not see.
 */
const variable = 'ORT_DISABLE_TELEMETRY'

if (isMainThread) process.env[variable] = '1'
else if (process.env[variable] !== '1') {
  throw new Error(
    `The encoder would report to the maker of its runtime: import encoder/no-telemetry in the main thread, or set ${variable}=1.`,
  )
}
