// Takes settings from the file .env, where there is one, beside those of the environment, which count first. Node's own
// `--env-file-if-exists` does the same, but says at every start that there is none.
import { isMainThread } from 'node:worker_threads'

// Threads have the environment of the process.
if (isMainThread) {
  try {
    process.loadEnvFile()
  } catch (error) {
    if (error.code !== 'ENOENT') {
      console.error(`.env can not be read: ${error.message}`)
      process.exit(1)
    }
  }
}
