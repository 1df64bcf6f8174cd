import { setTimeout } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import type { Outcome, Sent } from './balancer.ts'
import type { Tally } from './tally.ts'
import { paymentFailed, type Tenant } from './tenant.ts'

/** A pattern that a writer has stored, and knows the state of. */
interface Held {
  name: string
  version: number
  /** Undefined where the store's answer has none. */
  id: string | undefined
  /** Undefined for a text. */
  key: number[] | undefined
}

/** A request that was not answered and may be sent again for one effect: a keyed store, or a report of a payment. */
interface Pending {
  request: () => Sent
  done: (outcome: Outcome & { kind: 'answered' }) => void
}

/** Beyond this a writer deletes more than it stores. */
const heldMax = 300
const batchSize = 5

/**
 * One client that stores, changes, deletes and forgets patterns of its own, one request after the other. Which
 * requests is decided by its random numbers and their answers; a pattern in doubt is left alone until it is settled.
 */
export class Writer {
  readonly #name: string
  readonly #tenant: Tenant
  readonly #random: () => number
  readonly #tally: Tally
  readonly #billingSecret: string
  #held: Held[] = []
  #pending: Pending[] = []
  #count = 0

  constructor(name: string, tenant: Tenant, random: () => number, tally: Tally, billingSecret: string) {
    this.#name = name
    this.#tenant = tenant
    this.#random = random
    this.#tally = tally
    this.#billingSecret = billingSecret
  }

  /** Does one operation. */
  async step(): Promise<void> {
    const at = this.#random()
    const held = this.#held[Math.floor(this.#random() * this.#held.length)]
    if (at < 0.04) return this.#pay()
    if (held === undefined || at < (this.#held.length > heldMax ? 0.2 : 0.5)) return this.#store()
    if (at < 0.6) return this.#storeBatch()
    if (at < 0.65) return this.#readBack(held)
    if (at < 0.82) return this.#change(held)
    return this.#remove(held)
  }

  /** Sends what was not answered again, until it is: its effect must come once. */
  async settle(): Promise<void> {
    for (const { request, done } of this.#pending.splice(0)) {
      // The claim of a request whose process was killed ends some seconds after it.
      const outcome = await until(async () => {
        const sent = await this.#tenant.send(request())
        return sent.kind === 'answered' && sent.status === 409 ? undefined : sent
      }, 'the claim of a killed request to end')
      if (outcome.kind === 'answered' && outcome.status === 200) done(outcome)
      else this.#wrong('a repetition', outcome)
    }
  }

  #newName(): string {
    return `${this.#name}-${this.#count++}`
  }

  #metadata(name: string, version: number) {
    return { tenant: this.#tenant.name, name, version }
  }

  #newKey(): number[] {
    return Array.from({ length: 16 }, () => Math.fround(this.#random() * 2 - 1))
  }

  async #store(): Promise<void> {
    const name = this.#newName()
    const key = this.#random() < 0.15 ? undefined : this.#newKey()
    const metadata = this.#metadata(name, 0)
    const request: Sent =
      key === undefined
        ? { method: 'POST', path: '/v1/memory/text/store', body: { text: `Fact ${name}.`, metadata } }
        : { method: 'POST', path: '/v1/memory/store', body: { key, value: key, metadata } }
    const done = ({ body }: { body: Record<string, unknown> }) => {
      const id = String(body.pattern_id)
      this.#tenant.model.acknowledge(name, 0, id)
      this.#held.push({ name, version: 0, id, key })
    }
    await this.#sendStore(request, done, () => this.#tenant.model.doubt(name, 0))
  }

  async #storeBatch(): Promise<void> {
    const items = Array.from({ length: batchSize }, () => ({ name: this.#newName(), key: this.#newKey() }))
    const patterns = items.map(({ name, key }) => ({ key, value: key, metadata: this.#metadata(name, 0) }))
    const done = () => {
      for (const { name, key } of items) {
        this.#tenant.model.acknowledge(name, 0)
        this.#held.push({ name, version: 0, id: undefined, key })
      }
    }
    const doubt = () => this.#tenant.model.doubtBatch(items.map(({ name }) => name))
    await this.#sendStore({ method: 'POST', path: '/v1/memory/batch/store', body: { patterns } }, done, doubt)
  }

  /** Half of the stores carry an Idempotency-Key; of those some are sent again after their answer. */
  async #sendStore(request: Sent, done: Pending['done'], doubt: () => void): Promise<void> {
    if (this.#random() < 0.5) {
      await this.#write(request, done, doubt)
      return
    }
    const keyed = { ...request, headers: { 'Idempotency-Key': `${this.#name}/${this.#count}` } }
    const outcome = await this.#write(keyed, done, () => this.#pending.push({ request: () => keyed, done }))
    if (!isSuccess(outcome) || this.#random() >= 0.1) return
    const again = await this.#send(keyed)
    const isSame = isSuccess(again) && JSON.stringify(again.body) === JSON.stringify(outcome.body)
    if (!isSame && !isFault(again)) this.#wrong('a repeated store', again)
  }

  async #change(held: Held): Promise<void> {
    const version = held.version + 1
    const metadata = this.#metadata(held.name, version)
    const { key, id } = held
    const request: Sent =
      key !== undefined && (id === undefined || this.#random() < 0.5)
        ? { method: 'PUT', path: '/v1/memory/pattern', body: { key, new_value: key, metadata } }
        : { method: 'PATCH', path: `/v1/memory/patterns/${id}`, body: { metadata } }
    const done = () => {
      this.#tenant.model.acknowledge(held.name, version)
      held.version = version
    }
    await this.#write(request, done, () => this.#doubt(held, version))
  }

  async #remove(held: Held): Promise<void> {
    const { name, id, key } = held
    const forget = { method: 'DELETE', path: '/v1/memory/text/forget', body: { filter: { name } } }
    const request: Sent =
      this.#random() < 0.3
        ? forget
        : id !== undefined
          ? { method: 'DELETE', path: `/v1/memory/patterns/${id}` }
          : { method: 'DELETE', path: '/v1/memory/pattern', body: key }
    const done = (outcome: Outcome & { kind: 'answered' }) => {
      if (request === forget && outcome.body.forgotten !== 1) this.#wrong(`to forget ${name}`, outcome)
      this.#tenant.model.acknowledge(name, 'absent')
      this.#leave(held)
    }
    await this.#write(request, done, () => this.#doubt(held, 'absent'))
  }

  async #readBack({ name, version, id }: Held): Promise<void> {
    if (id === undefined) return
    const outcome = await this.#send({ method: 'GET', path: `/v1/memory/patterns/${id}` })
    if (isFault(outcome)) return
    const { metadata } = (outcome as { body: { metadata?: { name: string; version: number } } }).body
    if (metadata?.name !== name || metadata.version !== version) this.#wrong(`to read ${name}`, outcome)
  }

  async #pay(): Promise<void> {
    const id = `${this.#name}/payment/${this.#count++}`
    const request = () => paymentFailed(this.#tenant, this.#billingSecret, id)
    const done = () => {
      this.#tenant.payments++
    }
    await this.#write(request(), done, () => this.#pending.push({ request, done }))
  }

  async #write(request: Sent, done: Pending['done'], doubt: () => void): Promise<Outcome> {
    const outcome = await this.#send(request)
    if (isSuccess(outcome)) {
      this.#tally.acknowledged++
      done(outcome)
    } else {
      this.#tally.ambiguous++
      doubt()
      if (!isFault(outcome)) this.#wrong(`${request.method} ${request.path}`, outcome)
    }
    return outcome
  }

  /** A client that is told to come back later does that. */
  async #send(request: Sent): Promise<Outcome> {
    const began = performance.now()
    const outcome = await this.#tenant.send(request)
    this.#tally.count(outcome, performance.now() - began)
    if (outcome.kind === 'answered' && outcome.status === 503) {
      if (outcome.retryAfter === null) this.#wrong('a 503 without Retry-After', outcome)
      await setTimeout(1_000 * Number(outcome.retryAfter ?? 1))
    }
    return outcome
  }

  /** Leaves a pattern alone whose change was not answered. */
  #doubt(held: Held, state: number | 'absent'): void {
    this.#tenant.model.doubt(held.name, state)
    this.#leave(held)
  }

  #leave(held: Held): void {
    this.#held = this.#held.filter((each) => each !== held)
  }

  #wrong(what: string, outcome: Outcome): void {
    this.#tally.wrong.push(`${this.#name}: ${what} gave ${JSON.stringify(outcome)}`)
  }
}

const isSuccess = (outcome: Outcome): outcome is Outcome & { kind: 'answered' } =>
  outcome.kind === 'answered' && outcome.status === 200

/** What a client has to expect while something is down; anything else is wrong at any time. */
const isFault = (outcome: Outcome): boolean => outcome.kind === 'unanswered' || outcome.status === 503
