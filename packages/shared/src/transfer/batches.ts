import { limits } from '../catalogue/limits.ts'
import { type Item, kinds, type ParsedLine } from './import-line.ts'
import { count as countOf, type Line, placeOf } from './lines.ts'

/** Where an import stands. Everything before `offset` is stored or was left out, and nothing behind it but what is `ahead`. */
export interface ImportState {
  /**
   * New for each import from the start and part of every idempotency key: a batch sent again after a crash is
   * recognised, one that is imported again on purpose is stored again.
   */
  import_id: string
  /** In bytes of the lines, which for a file of another product are those it is converted to. */
  offset: number
  /** The number of the last line before `offset`. */
  line: number
  /** With those that are `ahead`. */
  stored: number
  /** How many of `stored` replaced what had their own id; undefined in the progress file of an earlier release. */
  replaced?: number
  /** Lines before `offset`, as those that are `expired` are. */
  invalid: number
  expired: number
  /**
   * Numbers of lines behind `offset` that are stored. A memory without room takes those that replace something, and none of the
   * others around them.
   */
  ahead?: readonly number[] | undefined
  /**
   * The time, in ms, by which lines behind `offset` are expired. It is kept before they are sent: a batch that an earlier run may
   * have sent has to be the same again for the service to recognise it, whatever has expired since. Undefined before the first
   * run, and in the progress file of an earlier release.
   */
  judged_ms?: number
  /** A later time, at which the service refused the batch behind `offset` for lines that had expired: it is sent without these. */
  rejudged_ms?: number | undefined
  /**
   * How many lines the batch behind `offset` has, where it has fewer than could be sent at once. It is kept before they are sent, as
   * `judged_ms` is.
   */
  items?: number | undefined
  complete: boolean
}

export interface BatchStored {
  stored: number
  failed: number
  /**
   * Of each item false when it took the place of what had its own id, null when there was no room for it; undefined of earlier
   * releases of the service, which store the first of a batch.
   */
  created?: readonly (boolean | null)[] | undefined
  /** The service had stored this batch before and repeats its first answer. */
  replayed: boolean
}

export interface StoreOptions {
  parse: (line: Line, now: number) => ParsedLine
  /** Stores what is JSON already. @throws errors of the service with `status` and `issues` */
  send: (
    route: (typeof kinds)[keyof typeof kinds]['route'],
    json: string,
    key: string,
  ) => Promise<BatchStored>
  /** Leave invalid lines out instead of stopping at them. */
  skipInvalid: boolean
  /** Keeps the state for a later run. */
  save: (state: ImportState) => Promise<void>
  /** Called after each batch. */
  update: (state: ImportState) => void
  /** Called for each line that is left out. */
  leftOut: (place: string, reason: string) => void
  /** Called when the import begins to wait for a batch of an earlier run. */
  waiting: () => void
}

/** Lines that the service, or its rules, refuse. */
export class InvalidLines extends Error {
  readonly lines: readonly (readonly [place: string, reason: string])[]

  constructor(lines: readonly (readonly [place: string, reason: string])[]) {
    super(lines.map(([place, reason]) => `${place}: ${reason}.`).join('\n'))
    this.lines = lines
  }
}

/** The plan allows no more. */
export class MemoryFull extends Error {
  /** The lines of the last batch that were not stored: the first and the last place of each run of them. */
  readonly left: readonly (readonly [first: string, last: string])[]

  constructor(count: number, left: MemoryFull['left']) {
    const places = left
      .slice(0, namedMax)
      .map(([first, last]) => (first === last ? first : `${first} to ${last}`))
    const more = left.length > namedMax ? ', …' : ''
    const lines = count === 1 ? '1 line' : `${countOf(count)} lines`
    super(
      `The memory is full: the plan allows no more patterns. There was no room for ${lines} of the last batch: ${places.join(', ')}${more}. Nothing behind them was sent.`,
    )
    this.left = left
  }
}

/** Runs of lines that a message names. */
const namedMax = 20

/**
 * Sends lines in batches. `state` moves forward only after the service acknowledged a batch; it is saved then, and before the
 * first is sent.
 * @returns how many lines the service had already stored for an earlier run that did not hear of it.
 * @throws InvalidLines, MemoryFull, and what sending throws
 */
export async function storeLines(
  lines: AsyncIterable<Line>,
  state: ImportState,
  options: StoreOptions,
): Promise<{ replayed: number }> {
  state.judged_ms ??= Date.now()
  // Before the first batch is sent: the next run must know the import's id, which its key holds, and what it was made by.
  await options.save(state)
  const batches = new Batches(state, options)
  for await (const line of lines) await batches.add(line)
  await batches.finish()
  return { replayed: batches.replayed }
}

type Position = Pick<ImportState, 'offset' | 'line' | 'invalid' | 'expired'>

/** A line on its way. */
interface Pending {
  item: Item
  line: Line
  /** Where the import stands when all before it is done. */
  before: Position
}

/** What became of a batch. */
interface Answered extends BatchStored {
  /** The lines that the service took. */
  sent: readonly Pending[]
}

class Batches {
  replayed = 0
  readonly #state: ImportState
  readonly #options: StoreOptions
  /** The end of what was read: ahead of the state by what the service has not acknowledged yet. */
  readonly #position: Position
  /** The batch that is being gathered: items of one kind, in the order of the file. */
  #pending: Pending[] = []
  #pendingBytes = 0
  /** Of what was gathered, the lines that the service refused, and those that expired before it took them. They are left out. */
  readonly #invalid = new Set<Pending>()
  readonly #expired = new Set<Pending>()
  /** Subjects that have as many patterns as they may. A line of theirs goes alone, since it alone can say whether there is room. */
  readonly #full = new Set<unknown>()

  constructor(state: ImportState, options: StoreOptions) {
    this.#state = state
    this.#options = options
    this.#position = {
      offset: state.offset,
      line: state.line,
      invalid: state.invalid,
      expired: state.expired,
    }
  }

  async add(line: Line): Promise<void> {
    if (this.#state.ahead?.includes(line.number)) {
      this.#position.offset = line.end
      this.#position.line = line.number
      return
    }
    let parsed = this.#parse(line)
    if (parsed.kind === 'item' && !this.#fits(parsed.item)) {
      await this.#flush()
      // By the time that goes for the batch that begins with it.
      parsed = this.#parse(line)
    }
    const before = { ...this.#position }
    this.#position.offset = line.end
    this.#position.line = line.number
    if (parsed.kind === 'expired') this.#position.expired++
    if (parsed.kind === 'invalid') this.#leaveOut([[placeOf(line), parsed.reason]])
    if (parsed.kind !== 'item') return
    this.#pending.push({ item: parsed.item, line, before })
    this.#pendingBytes += bytesOf(parsed.item)
    if (this.#pending.length === itemsMax[parsed.item.kind]) await this.#flush()
  }

  #parse(line: Line): ParsedLine {
    return this.#options.parse(line, this.#state.judged_ms ?? Date.now())
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

  /** Sends what was gathered: all at once, unless a subject is full. */
  async #flush(): Promise<void> {
    for (let isRest = false; this.#pending.length > 0; isRest = true) {
      // Of the rest of a divided batch no other run could gather the same lines: how many they are is kept with where they begin.
      if (this.#state.items === undefined) {
        await this.#limitTo(this.#untilFull() ?? (isRest ? this.#pending.length : undefined))
      }
      const batch = this.#pending.slice(0, this.#state.items)
      const answered = await this.#sendOrHalve(batch)
      if (answered === undefined) continue
      this.#pending = this.#pending.slice(batch.length)
      await this.#acknowledge(answered)
    }
    this.#pendingBytes = 0
    this.#invalid.clear()
    this.#expired.clear()
  }

  /** How many of the lines are before the first of a subject that is full; undefined where there is none. */
  #untilFull(): number | undefined {
    if (this.#full.size === 0) return undefined
    const at = this.#pending.findIndex(({ item }) => this.#full.has(subjectOf(item)))
    return at === -1 ? undefined : Math.max(at, 1)
  }

  async #limitTo(items: number | undefined): Promise<void> {
    if (items === undefined) return
    this.#state.items = items
    await this.#options.save(this.#state)
  }

  /**
   * The service refuses a batch whole for a subject that may have no more, and does not say for which line: smaller batches find it.
   * @returns undefined where the batch has to be smaller
   */
  async #sendOrHalve(batch: readonly Pending[]): Promise<Answered | undefined> {
    try {
      return await this.#send(batch)
    } catch (error) {
      if (batch.length === 1 || !isSubjectFull(error)) throw error
      await this.#limitTo(batch.length >> 1)
      return undefined
    }
  }

  /** Moves behind a batch, or to its first line without room. @throws MemoryFull */
  async #acknowledge({ sent, stored, created, failed, replayed }: Answered): Promise<void> {
    if (replayed) this.replayed += stored
    const left = failed > 0 ? sent.filter((_, i) => (created ? created[i] === null : i >= stored)) : []
    const [first] = left
    const next = first ?? this.#pending[0]
    // Lines that were gathered with these keep the time that they were judged by.
    const judged =
      first === undefined && next !== undefined ? {} : { judged_ms: Date.now(), rejudged_ms: undefined }
    await this.#moveTo(next === undefined ? this.#position : this.#positionAt(next), {
      ...judged,
      items: undefined,
      stored: this.#state.stored + stored,
      replaced: (this.#state.replaced ?? 0) + (created ?? []).filter((isNew) => isNew === false).length,
      ahead:
        first === undefined
          ? this.#state.ahead
          : [...(this.#state.ahead ?? []), ...linesBehind(first, sent, left)],
    })
    if (left.length > 0) throw new MemoryFull(left.length, runsOf(left, sent))
  }

  /** Where the import stands before a line, the lines counted that were left out of what was gathered with it. */
  #positionAt(line: Pending): Position {
    const before = (lines: Iterable<Pending>) => [...lines].filter((each) => isBefore(each, line)).length
    return {
      ...line.before,
      invalid: line.before.invalid + before(this.#invalid),
      expired: line.before.expired + before(this.#expired),
    }
  }

  async #moveTo(position: Position, changes: Partial<ImportState>): Promise<void> {
    Object.assign(this.#state, position, changes)
    const ahead = this.#state.ahead?.filter((line) => line > position.line) ?? []
    if (ahead.length > 0) this.#state.ahead = ahead
    else delete this.#state.ahead
    await this.#options.save(this.#state)
    this.#options.update(this.#state)
  }

  /** Sends the lines. When lines may be left out, sends them again without those that the service refuses. */
  async #send(pending: readonly Pending[]): Promise<Answered> {
    const { import_id, offset, ahead, stored, items } = this.#state
    // A line that expires meanwhile changes no key: the service keeps nothing of a batch that it refused.
    // Where a full memory took none of the first lines, what is sent again begins at the same offset, and is another body.
    const after = ahead === undefined ? '' : `-after-${stored}`
    const key = `import-${import_id}-${offset}${after}${items === undefined ? '' : `-of-${items}`}`
    for (;;) {
      this.#findExpired(pending)
      const valid = pending.filter((each) => !this.#invalid.has(each))
      const sent = valid.filter((each) => !this.#expired.has(each))
      if (sent.length === 0) return { sent, stored: 0, failed: 0, replayed: false }
      const without = pending.length - valid.length
      try {
        // One key may not name two bodies: each mended form of a refused batch has its own.
        const answer = await this.#store(sent, without === 0 ? key : `${key}-${without}`)
        return { sent, ...answer }
      } catch (error) {
        const found = refusedItems(error, sent)
        if (found.size === 0) throw error
        if (await this.#rejudge(found.keys())) continue
        if (isSubjectFull(error)) for (const { item } of found.keys()) this.#full.add(subjectOf(item))
        this.#leaveOut([...found].map(([{ line }, reason]) => [placeOf(line), reason]))
        for (const each of found.keys()) this.#invalid.add(each)
      }
    }
  }

  /** Whether lines were refused since they have expired. Then it is kept when, so that a later run leaves the same lines out. */
  async #rejudge(refused: Iterable<Pending>): Promise<boolean> {
    const now = Date.now()
    if (![...refused].some((each) => this.#isExpired(each, now))) return false
    this.#state.rejudged_ms = now
    await this.#options.save(this.#state)
    return true
  }

  /** Finds the lines that had expired when the service refused the batch. */
  #findExpired(lines: readonly Pending[]): void {
    const { rejudged_ms: now } = this.#state
    if (now === undefined) return
    for (const each of lines) {
      if (this.#expired.has(each) || !this.#isExpired(each, now)) continue
      this.#expired.add(each)
      this.#position.expired++
    }
  }

  #isExpired({ line }: Pending, now: number): boolean {
    return this.#options.parse(line, now).kind === 'expired'
  }

  /**
   * A 409 says that the service may still be storing this very batch for a run that was killed: its answer comes
   * soon, or its claim on the key ends. A 409 about an `external_id` is another one, for which waiting is of no use.
   */
  async #store(pending: readonly Pending[], key: string): Promise<BatchStored> {
    const { route, list } = kinds[(pending[0] as Pending).item.kind]
    const json = `{"${list}":[${pending.map(({ item }) => item.json).join(',')}]}`
    for (let seconds = 0; ; seconds++) {
      try {
        return await this.#options.send(route, json, key)
      } catch (error) {
        const running = isRefusal(error) && error.status === 409 && !error.message.includes('external_id')
        if (!running || seconds >= runningSecondsMax) throw error
        if (seconds === 0) this.#options.waiting()
        await new Promise((goOn) => setTimeout(goOn, 1_000))
      }
    }
  }

  #leaveOut(lines: readonly (readonly [string, string])[]): void {
    if (!this.#options.skipInvalid) throw new InvalidLines(lines)
    for (const [place, reason] of lines) this.#options.leftOut(place, reason)
    this.#position.invalid += lines.length
  }
}

const isBefore = (one: Pending, other: Pending) => one.line.number < other.line.number

/** The numbers of the lines behind the first that is left that were stored. */
const linesBehind = (first: Pending, sent: readonly Pending[], left: readonly Pending[]): number[] => {
  const unstored = new Set(left)
  return sent.filter((each) => isBefore(first, each) && !unstored.has(each)).map(({ line }) => line.number)
}

/** The first and last places of the lines that are left between those that were stored. */
function runsOf(left: readonly Pending[], sent: readonly Pending[]): [string, string][] {
  const unstored = new Set(left)
  const runs: [string, string][] = []
  for (const [i, each] of sent.entries()) {
    if (!unstored.has(each)) continue
    const run = runs.at(-1)
    const place = placeOf(each.line)
    if (run !== undefined && unstored.has(sent[i - 1] as Pending)) run[1] = place
    else runs.push([place, place])
  }
  return runs
}

const itemsMax = { text: limits.batchStoreItems, vector: limits.batchPatterns }
/**
 * The most bytes of the items of a batch. Of texts, so few that the service can encode them within `limits.batchEncodingMs`; of
 * vectors, as many as a body may have, with room for what is around the items.
 */
const batchBytesMax = { text: 64 * 1024, vector: limits.bodyBytes - 64 * 1024 }
const encoder = new TextEncoder()
/** Bytes of an item in a body, with the comma behind it. */
const bytesOf = ({ json }: Item): number => encoder.encode(json).length + 1

/** After a crash, the service ends the claim of a batch within seconds, an earlier release within two minutes. */
const runningSecondsMax = 150

/** An answer of the service that is no success, as its clients throw it. */
interface Refusal extends Error {
  status: number
  issues: readonly { loc: readonly (string | number)[]; msg: string }[]
}

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'status' in error && 'issues' in error && Array.isArray(error.issues)

/** Whether a batch was refused since it would give a subject more patterns than the organization allows each. */
const isSubjectFull = (error: unknown): boolean =>
  isRefusal(error) && error.status === 429 && error.message.includes('limit of the subject')

/** Undefined for one that is nobody's, or of the end user to whom the key is bound. */
const subjectOf = ({ json }: Item): unknown =>
  (JSON.parse(json) as { subject?: unknown }).subject ?? undefined

/** The lines that a refusal is about, with the reasons; empty where it does not say which. */
function refusedItems(error: unknown, items: readonly Pending[]): Map<Pending, string> {
  const refused = new Map<Pending, string>()
  if (!isRefusal(error)) return refused
  const [first] = items
  if (first !== undefined && items.length === 1 && isSubjectFull(error)) {
    const subject = subjectOf(first.item)
    const name = subject === undefined ? '' : ` ${JSON.stringify(subject)}`
    return refused.set(first, `the subject${name} has as many patterns as the organization allows each`)
  }
  for (const { loc, msg } of error.issues) {
    const [, , index, ...field] = loc
    const item = typeof index === 'number' ? items[index] : undefined
    if (item !== undefined) refused.set(item, `${field.join('.')}: ${msg}`)
  }
  return refused
}
