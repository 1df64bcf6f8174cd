import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Threads } from '@memory/api/pool/thread-pool'

type Embed = Extract<Parameters<Threads['run']>[0], { kind: 'embed' }>

/**
 * Threads that embed nothing twice: what they came to is kept in a folder, for all processes that name it and for later
 * runs. The encoder gives the same bits for the same text, whatever the database and the kernels are, so where tests run
 * on several of these, the first run has the encoder work, and the others take what it gave.
 */
export function keepingEmbeddings(threads: Threads, folder: string, what: string): Threads {
  mkdirSync(folder, { recursive: true })
  const embed = async (task: Embed) => {
    const file = join(folder, keyOf(what, threads.modelId, task.text))
    const kept = read(file)
    if (kept !== undefined) return deserialize(kept)
    const step = await threads.run(task)
    // Whole or not at all, for whoever reads meanwhile.
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
