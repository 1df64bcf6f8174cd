import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@memory/shared/catalogue/limits'
import { type BatchStored, type CommandClient, ServiceError } from './client.ts'
import { Failure, type Output } from './command.ts'
import { count, counted } from './format.ts'
import type { ImportCheckpoint } from './import-checkpoint.ts'
import { type Item, kinds, parseLine } from './import-line.ts'
import type { Line } from './lines.ts'
import { type Progress, startProgress } from './progress.ts'

/** Where an import stands: the part of a checkpoint that moves. */
export type ImportState = Omit<ImportCheckpoint, 'version' | 'file' | 'target' | 'updated_at'>

export interface StoreOptions {
  client: CommandClient
  output: Output
  /** Leave invalid lines out instead of stopping at them. */
  skipInvalid: boolean
  /** Bytes of the whole source, where they are known. */
  total: number | undefined
  /** Keeps the state for a later run. */
  save: (state: ImportState) => Promise<void>
  /** What to do after a stop. */
  hint: string
}

/**
 * Sends lines in batches. `state` moves forward, on disk too, only after the service acknowledged a batch.
 * @returns how many lines the service had already stored for an earlier run that did not hear of it.
 * @throws Failure that says how far the import came.
 */
export async function storeLines(
  lines: AsyncIterable<Line>,
  state: ImportState,
  options: StoreOptions,
): Promise<{ replayed: number }> {
  const progress = startProgress(options.output, {
    total: options.total,
    done: state.offset,
    counted: state.stored,
    unit: 'patterns',
  })
  options.client.onRetry = progress.note
  const batches = new Batches(state, options, progress)
  try {
    for await (const line of lines) await batches.add(line)
    await batches.finish()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const where = state.line === 0 ? '' : `, up to line ${count(state.line)}`
    const soFar = `Acknowledged so far: ${counted(state.stored, 'line')}${where}.`
    throw new Failure(`${error.message}\n${soFar} ${options.hint}`, { cause: error })
  } finally {
    progress.stop()
  }
  return { replayed: batches.replayed }
}

type Position = Pick<ImportState, 'offset' | 'line' | 'invalid' | 'expired'>

/** A line on its way, and where the import stands once it is stored. */
interface Pending {
  item: Item
  line: number
  after: Position
}

class Batches {
  replayed = 0
  readonly #state: ImportState
  readonly #options: StoreOptions
  readonly #progress: Progress
  /** Ahead of the state by what is read and not yet acknowledged. */
  readonly #position: Position
  /** Of one kind, in the order of the file. */
  #pending: Pending[] = []
  #pendingBytes = 0

  constructor(state: ImportState, options: StoreOptions, progress: Progress) {
    this.#state = state
    this.#options = options
    this.#progress = progress
    this.#position = {
      offset: state.offset,
      line: state.line,
      invalid: state.invalid,
      expired: state.expired,
    }
  }

  async add(line: Line): Promise<void> {
    const parsed = parseLine(line, Date.now())
    if (parsed.kind === 'item' && !this.#fits(parsed.item)) await this.#flush()
    this.#position.offset = line.end
    this.#position.line = line.number
    if (parsed.kind === 'expired') this.#position.expired++
    if (parsed.kind === 'invalid') this.#leaveOut([[line.number, parsed.reason]])
    if (parsed.kind !== 'item') return
    this.#pending.push({ item: parsed.item, line: line.number, after: { ...this.#position } })
    this.#pendingBytes += bytesOf(parsed.item)
    if (this.#pending.length === itemsMax[parsed.item.kind]) await this.#flush()
  }

  /** Whether an item can go into the batch that is being gathered. */
  #fits(item: Item): boolean {
    const [first] = this.#pending
    if (first === undefined) return true
    return first.item.kind === item.kind && this.#pendingBytes + bytesOf(item) <= batchBytesMax[item.kind]
  }

  async finish(): Promise<void> {
    if (this.#pending.length > 0) await this.#flush()
    await this.#moveTo(this.#position, { complete: true })
  }

  async #flush(): Promise<void> {
    const { sent, stored, failed, replayed } = await this.#send(this.#pending)
    if (replayed) this.replayed += stored
    // A batch fills the memory up to its cap in order, so the import goes on behind the last line that fitted.
    const after = failed > 0 ? sent[stored - 1]?.after : this.#position
    await this.#moveTo(after ?? this.#state, { stored: this.#state.stored + stored })
    this.#pending = []
    this.#pendingBytes = 0
    if (failed > 0) throw new Failure('The memory is full: the plan allows no more patterns.')
  }

  async #moveTo(position: Position, changes: Partial<ImportState>): Promise<void> {
    Object.assign(this.#state, position, changes)
    await this.#options.save(this.#state)
    this.#progress.update(this.#state.offset, this.#state.stored)
  }

  /** Sends the lines; without those the service refuses, where lines may be left out. */
  async #send(pending: readonly Pending[]): Promise<BatchStored & { sent: readonly Pending[] }> {
    const key = `import-${this.#state.import_id}-${this.#state.offset}`
    for (let sent = pending, tries = 0; sent.length > 0; tries++) {
      try {
        // One key may not name two bodies: each mended form of a refused batch has its own.
        return { sent, ...(await this.#store(sent, tries === 0 ? key : `${key}-${tries}`)) }
      } catch (error) {
        const refused = refusedItems(error, sent)
        if (refused.size === 0) throw error
        this.#leaveOut([...refused].map(([{ line }, reason]) => [line, reason]))
        sent = sent.filter((item) => !refused.has(item))
      }
    }
    return { sent: [], stored: 0, failed: 0, replayed: false }
  }

  /**
   * A 409 says that the service may still be storing this very batch for a run that was killed: its answer comes
   * soon, or its claim on the key ends. (No other 409 is worth waiting for; only the same batch can cause this one.)
   */
  async #store(pending: readonly Pending[], key: string): Promise<BatchStored> {
    const { route, list } = kinds[(pending[0] as Pending).item.kind]
    const json = `{"${list}":[${pending.map(({ item }) => item.json).join(',')}]}`
    for (let seconds = 0; ; seconds++) {
      try {
        return await this.#options.client.batchStoreJson(route, json, key)
      } catch (error) {
        const running = error instanceof ServiceError && error.status === 409
        if (!running || seconds >= runningSecondsMax) throw error
        if (seconds === 0) this.#progress.note(runningNote)
        await sleep(1_000)
      }
    }
  }

  #leaveOut(lines: readonly (readonly [number, string])[]): void {
    const reasons = lines.map(([line, reason]) => `Line ${count(line)}: ${reason}.`)
    if (!this.#options.skipInvalid) {
      throw new Failure([...reasons, '--skip-invalid leaves such lines out.'].join('\n'))
    }
    for (const reason of reasons) this.#progress.note(`${reason} Left out.`)
    this.#position.invalid += lines.length
  }
}

const itemsMax = { text: limits.batchStoreItems, vector: limits.batchPatterns }
/**
 * Of one body: long texts take their time, and the service gives a batch `limits.batchEncodingMs`; vectors come as large as it
 * takes them, with room for what stands between the items.
 */
const batchBytesMax = { text: 64 * 1024, vector: limits.bodyBytes - 64 * 1024 }
/** With the comma behind it. */
const bytesOf = ({ json }: Item): number => Buffer.byteLength(json) + 1

/** The service lets go of a batch that it lost in a crash after seconds, one of an earlier release after two minutes. */
const runningSecondsMax = 150
const runningNote = 'An earlier run’s batch may still be being stored: waiting for it, two minutes at most.'

/** The lines a 422 complains about, with the reasons; empty for any other error. */
function refusedItems(error: unknown, items: readonly Pending[]): Map<Pending, string> {
  const refused = new Map<Pending, string>()
  if (!(error instanceof ServiceError)) return refused
  for (const { loc, msg } of error.issues) {
    const [, , index, ...field] = loc
    const item = typeof index === 'number' ? items[index] : undefined
    if (item !== undefined) refused.set(item, `${field.join('.')}: ${msg}`)
  }
  return refused
}
