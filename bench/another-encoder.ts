/**
 * How fast texts are embedded anew after a change of the encoder, beside storing them, and what vector queries of others
 * take meanwhile. The other encoder is the same one with other bytes in a file: it embeds as fast.
 *
 *   npm run bench -- another-encoder [--texts 5000]
 */
import { appendFileSync, cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../scripts/read-options.ts'
import { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { digits, quantile } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'
import { fillTenants, type Tenant } from './tenants/fill.ts'

const { values: options } = readOptions({ options: { texts: { type: 'string', default: '5000' } } })
const count = Number(options.texts)
const batch = 50
/** Between two vector queries. */
const pauseMs = 100
/** Between two looks whether all is embedded. */
const lookMs = 250

/** A copy of the shipped encoder that calls itself another one. */
function copyEncoder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-bench-encoder-'))
  cpSync(fileURLToPath(new URL('../models', import.meta.url)), folder, { recursive: true })
  appendFileSync(join(folder, 'tokenizer_config.json'), '\n')
  return folder
}

/** Asks for a vector again and again until told to stop. @returns what each answer took, in ms */
async function askOn(port: number, { key, vector }: Tenant, isOver: () => boolean): Promise<number[]> {
  const connection = await Connection.open(port, { 'x-api-key': key })
  const took: number[] = []
  while (!isOver()) {
    const asked = performance.now()
    await connection.json('POST', '/v1/memory/query', { embedding: vector, top_k: 10 })
    took.push(performance.now() - asked)
    await delay(pauseMs)
  }
  connection.close()
  return took
}

/**
 * Starts the service with another encoder and waits until the texts have its embeddings.
 * @param other who asks for vectors meanwhile
 */
async function embedAnew(
  settings: Record<string, string>,
  other: Tenant | undefined,
): Promise<{ seconds: number; queries: number[] }> {
  const server = await startServer({ dataDir, settings })
  const start = performance.now()
  const waiting = await server.connect()
  let isDone = false
  const answered = other === undefined ? [] : askOn(server.port, other, () => isDone)
  const embedding = Array.from({ length: 384 }, (_, i) => Math.sin(i))
  while ((await waiting.send('POST', '/v1/memory/query', { embedding, top_k: 1 })).status !== 200) {
    await delay(lookMs)
  }
  const seconds = (performance.now() - start) / 1_000
  isDone = true
  const queries = await answered
  waiting.close()
  await server.stop()
  return { seconds, queries }
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const [dataDir, encoder] = [newFolder(), copyEncoder()]
try {
  const [other] = (await fillTenants({ dataDir }, { organizations: 1, each: 1_000, dimensions: 64 })) as [
    Tenant,
  ]
  const filling = await startServer({ dataDir })
  const storing = await filling.connect()
  const source = new TextSource(1)
  const began = performance.now()
  for (let n = 0; n < count; n += batch) {
    const items = Array.from({ length: Math.min(batch, count - n) }, () => ({ text: source.next('medium') }))
    await storing.json('POST', '/v1/memory/text/batch-store', { items })
  }
  const storeS = (performance.now() - began) / 1_000
  let left = 200
  const alone = await askOn(filling.port, other, () => left-- <= 0)
  storing.close()
  await filling.stop()

  const first = await embedAnew({ MEMORY_ENCODER_DIR: encoder }, undefined)
  // Back again.
  const second = await embedAnew({}, other)
  const quantiles = (took: readonly number[]) => ({ p50: quantile(took, 0.5), p95: quantile(took, 0.95) })
  const seconds = { stored: storeS, alone: first.seconds, besideOther: second.seconds }
  const queries = { alone: quantiles(alone), meanwhile: quantiles(second.queries) }
  const perSecond = (took: number) => digits(count / took)
  console.log(
    table(
      ['', 'texts a second'],
      [
        ['stored, in batches', perSecond(storeS)],
        ['embedded anew', perSecond(first.seconds)],
        ['embedded anew, while another organization asks for vectors', perSecond(second.seconds)],
      ],
    ),
  )
  console.log(
    table(
      ['vector queries of the other organization', 'p50 ms', 'p95'],
      Object.entries(queries).map(([when, { p50, p95 }]) => [when, digits(p50), digits(p95)]),
    ),
  )
  writeResult('another-encoder', environment, { texts: count, seconds, queries })
} finally {
  removeFolder(dataDir)
  removeFolder(encoder)
}
