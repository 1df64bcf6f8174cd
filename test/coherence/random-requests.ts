import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/requests.ts'
import type { History, Interval, Read, StoredPattern } from './history.ts'

/** Few keys of two lengths, so that many patterns share one. */
const keys = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 2],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 1],
  [2, -1, 0],
] as const satisfies number[][]
/** Few texts, so that each process encodes each of them once. */
const texts = [
  'Ada moved to Lisbon in May.',
  'Ben plays the cello on Sundays.',
  'The ferry to Procida leaves at nine.',
  'Carla is allergic to walnuts.',
]
const groups = [0, 1, 2]
/** Few, so that many requests are about the same pattern, and fewer than a search answers. */
const mostPatterns = 30
const topK = 50

/** A pattern and what the client knows of it. */
interface Known extends StoredPattern {
  idx?: number | undefined
}

/**
 * Sends random requests as any of several clients of one space and keeps what they answer. A pattern's revision is
 * in its metadata and, for a vector, its value.
 */
export class RandomRequests {
  readonly history: History = { stores: [], changes: [], removals: [], reads: [] }
  readonly #clients: readonly Client[]
  readonly #random: () => number
  readonly #known = new Map<string, Known>()
  // The one order of all events: each request and each answer takes a number.
  #events = 0
  #revisions = 0
  // Patterns that are there, or whose removal or store has no answer yet.
  readonly #possible = new Set<string>()
  #storing = 0

  constructor(clients: readonly Client[], random: () => number) {
    this.#clients = clients
    this.#random = random
  }

  /** Sends one request and waits for its answer. @throws Error for an answer with another status than it may have */
  async one(): Promise<void> {
    const kinds: [share: number, request: () => Promise<void>][] = [
      [12, () => this.#storeVector()],
      [4, () => this.#storeText()],
      [14, () => this.#changeVector()],
      [6, () => this.#changeText()],
      [4, () => this.#deleteKey()],
      [5, () => this.#deletePattern()],
      [1, () => this.#forgetGroup()],
      [20, () => this.#query()],
      [10, () => this.#retrieve()],
      [8, () => this.#retrieveTexts()],
      [5, () => this.#list()],
      [5, () => this.#getPattern()],
      [4, () => this.#getVector()],
    ]
    let drawn = this.#random() * kinds.reduce((sum, [share]) => sum + share, 0)
    for (const [share, request] of kinds) {
      drawn -= share
      if (drawn < 0) return request()
    }
  }

  async #storeVector(): Promise<void> {
    if (!this.#hasRoom()) return this.#query()
    const key = this.#pick(keys)
    const revision = this.#revisions++
    const group = groupOf(key)
    await this.#store(
      '/v1/memory/store',
      revision,
      { kind: key.length, key: String(key), group },
      {
        key,
        value: [revision],
        metadata: { group, revision },
      },
    )
  }

  async #storeText(): Promise<void> {
    if (!this.#hasRoom()) return this.#retrieveTexts()
    const revision = this.#revisions++
    const group = this.#pick(groups)
    await this.#store(
      '/v1/memory/text/store',
      revision,
      { kind: 'text', key: '', group },
      {
        text: textOf(revision),
        metadata: { group, revision },
      },
    )
  }

  #hasRoom(): boolean {
    return this.#possible.size + this.#storing < mostPatterns
  }

  async #store(path: string, revision: number, described: Omit<StoredPattern, 'id'>, item: object) {
    this.#storing++
    const { during, body } = await this.#send([200], 'POST', path, item)
    this.#storing--
    const pattern = { ...described, id: body.pattern_id }
    this.history.stores.push({ during, pattern, revision })
    this.#known.set(pattern.id, pattern)
    this.#possible.add(pattern.id)
  }

  async #changeVector(): Promise<void> {
    const key = this.#pick(keys)
    const revision = this.#revisions++
    const { during, status, what } = await this.#send([200, 404], 'PUT', '/v1/memory/pattern', {
      key,
      new_value: [revision],
      metadata: { group: groupOf(key), revision },
    })
    if (status === 200) this.history.changes.push({ during, revision, target: { key: String(key) } })
    else this.#keepRead(what, during, (pattern) => pattern.key === String(key), [])
  }

  async #changeText(): Promise<void> {
    const pattern = this.#pickKnown(({ kind }) => kind === 'text')
    if (pattern === undefined) return this.#storeText()
    const { id, group } = pattern
    const revision = this.#revisions++
    const path = `/v1/memory/patterns/${id}`
    const { during, status, body, what } = await this.#send([200, 404], 'PATCH', path, {
      text: textOf(revision),
      metadata: { group, revision },
    })
    if (status === 200) this.history.changes.push({ during, revision, target: { id } })
    this.#keepRead(what, during, isPattern(id), status === 200 ? [fromMetadata(body)] : [])
  }

  async #deleteKey(): Promise<void> {
    const key = this.#pick(keys)
    const covers = (pattern: StoredPattern) => pattern.key === String(key)
    const stored = this.history.stores.filter(({ pattern }) => covers(pattern))
    const { during, status, what } = await this.#send([200, 404], 'DELETE', '/v1/memory/pattern', key)
    if (status === 404) this.#keepRead(what, during, covers, [])
    else this.history.removals.push({ during, covers })
    for (const { pattern } of stored) this.#keepGone(pattern.id)
  }

  async #deletePattern(): Promise<void> {
    const pattern = this.#pickKnown(() => true)
    if (pattern === undefined) return this.#storeVector()
    const { id } = pattern
    const { during, status, what } = await this.#send([200, 404], 'DELETE', `/v1/memory/patterns/${id}`)
    if (status === 200) this.history.removals.push({ during, covers: isPattern(id) })
    this.#keepRead(what, during, isPattern(id), status === 200 ? [{ id }] : [])
    this.#keepGone(id)
  }

  async #forgetGroup(): Promise<void> {
    const group = this.#pick(groups)
    const covers = (pattern: StoredPattern) => pattern.group === group
    const { during, body, what } = await this.#send([200], 'DELETE', '/v1/memory/text/forget', {
      filter: { group },
    })
    this.history.removals.push({ during, covers })
    const ids: string[] = body.pattern_ids
    this.#keepRead(
      what,
      during,
      covers,
      ids.map((id) => ({ id })),
    )
    for (const id of ids) this.#keepGone(id)
  }

  async #query(): Promise<void> {
    const embedding = this.#pick(keys)
    const { during, body, what } = await this.#send([200], 'POST', '/v1/memory/query', {
      embedding,
      top_k: topK,
    })
    const seen = body.results.map((result: { pattern_id: string; value: [number] }) => ({
      id: result.pattern_id,
      revision: result.value[0],
    }))
    this.#keepRead(what, during, ({ kind }) => kind === embedding.length, seen)
  }

  async #retrieve(): Promise<void> {
    const embedding = this.#pick(keys)
    const group = this.#random() < 0.5 ? undefined : this.#pick(groups)
    const { during, body, what } = await this.#send([200], 'POST', '/v1/memory/retrieve', {
      embedding,
      top_k: topK,
      ...(group === undefined ? {} : { filter: { group } }),
    })
    const covers = (pattern: StoredPattern) =>
      pattern.kind === embedding.length && (group === undefined || pattern.group === group)
    this.#keepRead(what, during, covers, body.results.map(fromMetadata))
  }

  async #retrieveTexts(): Promise<void> {
    const { during, body, what } = await this.#send([200], 'POST', '/v1/memory/text/retrieve', {
      query: this.#pick(texts),
      top_k: topK,
    })
    this.#keepRead(what, during, ({ kind }) => kind === 'text', body.results.map(fromMetadata))
  }

  async #list(): Promise<void> {
    const { during, body, what } = await this.#send([200], 'GET', '/v1/memory/patterns?limit=200')
    this.#keepRead(what, during, () => true, body.patterns.map(fromMetadata))
    for (const { pattern_id, pattern_idx } of body.patterns) {
      const pattern = this.#known.get(pattern_id)
      if (pattern !== undefined) pattern.idx = pattern_idx
    }
  }

  async #getPattern(): Promise<void> {
    const pattern = this.#pickKnown(() => true)
    if (pattern === undefined) return this.#list()
    const path = `/v1/memory/patterns/${pattern.id}`
    const { during, status, body, what } = await this.#send([200, 404], 'GET', path)
    this.#keepRead(what, during, isPattern(pattern.id), status === 200 ? [fromMetadata(body)] : [])
  }

  async #getVector(): Promise<void> {
    const pattern = this.#pickKnown(({ idx }) => idx !== undefined)
    if (pattern === undefined) return this.#list()
    const path = `/v1/memory/pattern/${pattern.idx}`
    const { during, status, body, what } = await this.#send([200, 404], 'GET', path)
    const seen = status === 200 ? [fromMetadata({ ...body, pattern_id: pattern.id })] : []
    this.#keepRead(what, during, isPattern(pattern.id), seen)
  }

  #keepRead(what: string, during: Interval, covers: Read['covers'], seen: Seen[]): void {
    const revisions = seen.map(({ id, revision }) => [id, revision] as const)
    this.history.reads.push({ what, during, covers, seen: new Map(revisions) })
  }

  async #send(statuses: number[], method: string, path: string, body?: unknown) {
    const process = Math.floor(this.#random() * this.#clients.length)
    const during = { start: this.#events++, end: 0 }
    const what = `Request ${during.start}, ${method} ${path} to process ${process}`
    const answer = await patiently(this.#clients[process] as Client, method, path, body)
    during.end = this.#events++
    if (!statuses.includes(answer.status))
      throw new Error(`${what}, answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return { during, what, status: answer.status, body: answer.body }
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T
  }

  #pickKnown(matches: (pattern: Known) => boolean): Known | undefined {
    const found = [...this.#known.values()].filter(matches)
    return found.length === 0 ? undefined : this.#pick(found)
  }

  /** What is gone is still asked for sometimes, but not more and more of it. */
  #keepGone(id: string): void {
    this.#possible.delete(id)
    if (this.#random() < 0.7) this.#known.delete(id)
  }
}

/**
 * Sends a request as clients do who want it done: again when the service says to come back, as it does where its machine
 * stands still for seconds. The key of the request keeps what was done by then from being done twice.
 */
async function patiently(client: Client, method: string, path: string, body: unknown): Promise<Answer> {
  const headers = { 'Idempotency-Key': randomUUID() }
  for (let attempt = 1; ; attempt++) {
    const answer = await client.request(method, path, body, headers)
    if (answer.status !== 503 || attempt === 5) return answer
    await setTimeout(Number(answer.headers.get('retry-after')) * 1_000)
  }
}

interface Seen {
  id: string
  revision?: number | undefined
}

const isPattern = (id: string) => (pattern: StoredPattern) => pattern.id === id

/** Of a key, so that a change by key leaves a pattern in its group. */
const groupOf = (key: readonly number[]) =>
  (keys as readonly (readonly number[])[]).indexOf(key) % groups.length

const textOf = (revision: number) => texts[revision % texts.length] as string

/** @throws Error for a text, or the value of a vector, with the metadata of another revision */
function fromMetadata(result: {
  pattern_id: string
  text?: string | null
  value?: number[]
  metadata: { revision: number }
}): Seen {
  const { pattern_id: id, text, value, metadata } = result
  const { revision } = metadata
  // A text's value is its embedding.
  const wholeValue = value === undefined || value.length > 1 || value[0] === revision
  if ((text != null && text !== textOf(revision)) || !wholeValue)
    throw new Error(`${id} has metadata of revision ${revision} beside ${text ?? value}`)
  return { id, revision }
}
