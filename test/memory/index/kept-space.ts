import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Snapshots } from '@memory/memory/index/snapshots'
import { SpaceCache } from '@memory/memory/index/space-cache'
import type { IndexedPattern, SpaceIndex } from '@memory/memory/index/space-index'
import * as store from '@memory/memory/store'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { sql } from 'kysely'
import { randomFrom, randomVector } from '../../engine/naive.ts'
import { newOrganization } from '../../platform/open-database.ts'
import { newPattern } from '../../support/pattern.ts'
import { TestClock } from '../../support/server.ts'
import { bruteForce, searchAll } from './brute-force.ts'

export const dimensions = 8
/** Some more than a space must have to be kept in files. */
export const many = 5_050

export function keysFrom(seed: number, count: number): Float32Array[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => randomVector(random, dimensions, false))
}

/** A space in the database, and processes with files of their own in one folder, one after the other. */
export class KeptSpace {
  readonly queries: Queries
  readonly id: string
  readonly folder = mkdtempSync(join(tmpdir(), 'memory-snapshots-'))
  readonly clock = new TestClock()
  readonly warnings: string[] = []
  budgetBytes = 1e9
  snapshots!: Snapshots
  spaces!: SpaceCache

  private constructor(queries: Queries, id: string) {
    this.queries = queries
    this.id = id
    this.restart()
  }

  /** A new space with patterns that a process has loaded and saved. */
  static async create(queries: Queries, patterns = many): Promise<KeptSpace> {
    const { spaceId } = await newOrganization(queries)
    const space = new KeptSpace(queries, spaceId)
    await space.store(keysFrom(1, patterns))
    await space.index()
    await space.spaces.save()
    return space
  }

  /** Another process takes the folder over; the one before is just gone. */
  restart(): void {
    this.snapshots = new Snapshots(this.folder)
    this.spaces = this.newProcess(this.snapshots)
  }

  newProcess(snapshots: Snapshots | undefined): SpaceCache {
    const log = createLog('warn', { write: (line) => void this.warnings.push(JSON.parse(line).msg) })
    const { queries, budgetBytes, clock } = this
    return new SpaceCache({ queries, budgetBytes, snapshots, clock, log })
  }

  /** Files of the folder. */
  get files(): string[] {
    return readdirSync(this.folder).sort()
  }

  file(name: string): string {
    return join(this.folder, name)
  }

  get manifest(): string {
    return this.file(`${this.id}.json`)
  }

  get shard(): string {
    return this.file(this.files.find((name) => name.endsWith('.0')) as string)
  }

  /** Stores patterns; a process that is given hears of it, as one does of its own writes. */
  async store(
    keys: Float32Array[],
    { heardBy, expiresAt = null }: { heardBy?: SpaceCache; expiresAt?: Date | null } = {},
  ): Promise<void> {
    const inserted = await store.insertPatterns(
      this.queries,
      this.id,
      -1,
      'test',
      keys.map((key) => newPattern({ key, expiresAt })),
    )
    const stored = keys.map((key, i) => indexed(inserted.firstIdx + i, key, expiresAt))
    heardBy?.committed(this.id, inserted.version, { stored })
  }

  async update(idx: number, key: Float32Array, heardBy?: SpaceCache): Promise<void> {
    const id = await this.#idOf(idx)
    if (id === undefined) return
    const embedding = { text: 'changed', key, textHash: '00', model: 'test' }
    const changed = await store.updatePattern(this.queries, this.id, id, { embedding })
    if (changed !== undefined) {
      heardBy?.committed(this.id, changed.version, { stored: [indexed(changed.idx, key, null)] })
    }
  }

  async remove(indexes: number[], heardBy?: SpaceCache): Promise<void> {
    const removal = { indexes, textOnly: false, dryRun: false }
    const { patterns, version } = await store.removePatterns(this.queries, this.id, removal)
    if (version === undefined) return
    heardBy?.committed(this.id, version, { removed: patterns.map(({ idx }) => idx) })
  }

  async empty(heardBy?: SpaceCache): Promise<void> {
    await store.emptySpace(this.queries, this.id)
    heardBy?.drop(this.id)
  }

  /** The index of a process with all that the database holds. */
  async index(spaces = this.spaces): Promise<SpaceIndex> {
    return spaces.get(this.id, await store.getVersion(this.queries, this.id))
  }

  /** Every pattern that the index finds with its cosine to some vector, and what the database says. */
  async compare(index: SpaceIndex): Promise<{ found: unknown; expected: unknown }> {
    const [query] = keysFrom(99, 1) as [Float32Array]
    const rows = await asTenant(this.queries, { spaceId: this.id }, (trx) =>
      sql<{ idx: number; key: string }>`
        select idx, key::text as key from app.patterns
          where expires_at is null or expires_at > ${this.clock.now().toISOString()}::timestamptz`.execute(
        trx,
      ),
    )
    const patterns = rows.rows.map(
      ({ idx, key }) => [idx, { key: Float32Array.from(JSON.parse(key)), isText: true }] as const,
    )
    const shards = index.shardsFor(dimensions)
    return {
      found: shards.flatMap((shard) => searchAll(shard.target, query)),
      expected: bruteForce(
        patterns.map(([idx, held]) => [idx, held]),
        query,
      ),
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #idOf(idx: number): Promise<string | undefined> {
    const { rows } = await asTenant(this.queries, { spaceId: this.id }, (trx) =>
      sql<{ id: string }>`select id from app.patterns where idx = ${idx}`.execute(trx),
    )
    return rows[0]?.id
  }
}

function indexed(idx: number, key: Float32Array, expiresAt: Date | null): IndexedPattern {
  return { idx, key, isText: true, sourceDim: null, expiresAt, tier: 'hot' }
}
