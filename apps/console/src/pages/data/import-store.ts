import { type BatchStored, type ImportState, storeLines } from '@memory/shared/transfer/batches'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import type { MemoryClient } from 'memory-service-sdk'
import { lineSourceOf, parseLine, sourceFile } from './import-source.ts'

export interface Stored {
  state: ImportState
  /** How many of them an earlier run had stored without hearing of it. */
  replayed: number
  /** Lines that were left out, the first of them. */
  left: [place: string, reason: string][]
}

/** As the lines stand in the file: those that the service refuses are known later than those that this page does. */
const byPlace = new Intl.Collator('en', { numeric: true })

/** Lines that are named of those that are left out. */
const namedMax = 100

/** Stores what is JSON already; told twice, the service stores it once. */
const sending =
  (client: MemoryClient, signal: AbortSignal) =>
  async (
    route: 'POST /v1/memory/text/batch-store' | 'POST /v1/memory/batch/store',
    json: string,
    key: string,
  ): Promise<BatchStored> => {
    signal.throwIfAborted()
    let replayed = false
    // What is being stored is waited for, also by who stops: what it answers is what the import goes on from.
    const { stored, failed, created } = await client.storeJson(route, json, {
      idempotencyKey: key,
      onAnswer: ({ headers }) => {
        replayed = headers.get('idempotent-replay') === 'true'
      },
    })
    return { stored, failed, created, replayed }
  }

interface Storing {
  client: MemoryClient
  /** Where it begins. */
  from: ImportState
  /** Leaves invalid lines out instead of stopping at them. */
  skipInvalid: boolean
  signal: AbortSignal
  /** Hears how far it is. */
  tell: (state: ImportState) => void
  /** Keeps how far it is, for a later run. */
  save: (state: ImportState) => void
}

/** Stores what a file holds, from where an earlier import of it has stopped. */
export async function storeFile(
  file: File,
  conversion: Conversion | undefined,
  { client, from, skipInvalid, signal, tell, save }: Storing,
): Promise<Stored> {
  const state = { ...from }
  const left: Stored['left'] = []
  const source = lineSourceOf(sourceFile(file, signal), conversion)
  const { replayed } = await storeLines(source.lines(state.offset, state), state, {
    parse: parseLine,
    send: sending(client, signal),
    skipInvalid,
    save: async (state) => save(state),
    update: (state) => tell({ ...state }),
    leftOut: (place, reason) => {
      if (left.length < namedMax) left.push([place, reason])
    },
    waiting: () => {},
  })
  return { state, replayed, left: left.sort(([a], [b]) => byPlace.compare(a, b)) }
}
