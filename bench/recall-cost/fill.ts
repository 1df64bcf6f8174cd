import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext } from '../../apps/api/src/context.ts'
import { hashApiKey } from '../../packages/identity/src/keys/api-key.ts'
import { bootstrap } from '../../packages/identity/src/keys/bootstrap.ts'
import { authenticateKey } from '../../packages/identity/src/keys/service.ts'
import type { Compute } from '../../packages/memory/src/compute.ts'
import { batchStoreTexts } from '../../packages/memory/src/texts/store-texts.ts'
import { readConfig } from '../../packages/shared/src/platform/config.ts'
import { createLog } from '../../packages/shared/src/platform/log.ts'
import { masterKey } from '../support/server.ts'
import type { EmbeddedText } from './texts.ts'

const storedAtOnce = 1_000
/** Of a thousand users, and of two kinds. */
const metadataOf = (number: number) => ({
  user: `user-${number % 1_000}`,
  kind: number % 2 === 0 ? 'note' : 'mail',
})

/** Fills a new database with texts through the service's own store, which is given their embeddings. */
export async function fill(
  texts: readonly EmbeddedText[],
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string | undefined },
): Promise<void> {
  const config = readConfig({
    MEMORY_DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }),
  })
  const context = await createContext(config, createLog)
  try {
    await bootstrap(context.database.queries, dataDir)
    const key = readFileSync(join(dataDir, 'local-api-key'), 'utf8').trim()
    const { caller } = await authenticateKey(
      { authentication: context.callers.authentication, now: new Date() },
      hashApiKey(key),
      null,
      0,
      { requestId: 'bench', ip: null, userAgent: null, isLocal: true },
    )
    const vectors = new Map(texts.map(({ text, vector }) => [text, vector]))
    const compute = withVectors(context.pool, vectors)
    for (let at = 0; at < texts.length; at += storedAtOnce) {
      const items = texts
        .slice(at, at + storedAtOnce)
        .map(({ text }, i) => ({ text, metadata: metadataOf(at + i) }))
      const { stored } = await batchStoreTexts({ ...context.memory, compute }, caller, { items } as never)
      if (stored !== items.length) throw new Error(`${stored} of ${items.length} texts were stored`)
    }
  } finally {
    await context.close()
  }
}

/** Gives texts the embeddings that are known; all else is done as it is. */
function withVectors(pool: Compute, vectors: ReadonlyMap<string, Float32Array>): Compute {
  return {
    dimensions: pool.dimensions,
    modelId: pool.modelId,
    knows: (character) => pool.knows(character),
    countTokens: (...counted) => pool.countTokens(...counted),
    embed: async (_, text) => vectors.get(text) as Float32Array,
    search: (...search) => pool.search(...search),
    searchMany: (...search) => pool.searchMany(...search),
    relax: (...iterations) => pool.relax(...iterations),
    mapStep: (...step) => pool.mapStep(...step),
    searchLexical: (...search) => pool.searchLexical(...search),
    scoreLexical: (...search) => pool.scoreLexical(...search),
  }
}
