import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Threads } from '@memory/api/pool/thread-pool'

type Embed = Extract<Parameters<Threads['run']>[0], { kind: 'embed' }>

/**
 * Threads that embed nothing twice: embeddings are kept in a folder, for all processes that name it and for later runs. The
 * encoder gives the same bits for the same text, whatever the database and the kernels are. So where tests run on several of
 * these, only the first run computes embeddings.
 * @param what what else the embeddings depend on: others of the same folder are not taken
 */
export function keepingEmbeddings(threads: Threads, folder: string, what: string): Threads {
  mkdirSync(folder, { recursive: true })
  const embed = async (task: Embed) => {
    const file = join(folder, keyOf(what, threads.modelId, task.text))
    const kept = read(file)
    if (kept !== undefined) return deserialize(kept)
    const step = await threads.run(task)
    // The file appears whole, since another process may read it.
    const partial = `${file}-${randomUUID()}`
    writeFileSync(partial, serialize(step))
    renameSync(partial, file)
    return step
  }
  return { ...threads, run: (task) => (task.kind === 'embed' ? embed(task) : threads.run(task)) }
}

/** A step is known by the text, and by how many of its windows were encoded before it. */
function keyOf(what: string, modelId: string, given: Embed['text']): string {
  const [text, done] = typeof given === 'string' ? [given, -1] : [given.text, given.outputs.length]
  return createHash('sha256')
    .update(JSON.stringify([what, modelId, done, text]))
    .digest('hex')
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
