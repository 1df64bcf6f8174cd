import { setTimeout as delay } from 'node:timers/promises'
import { Connection } from '../support/client.ts'
import { filteredDimensions } from './loads.ts'

export const probes = ['text retrieve', 'vector query', 'text store', 'list'] as const
export type Probe = (typeof probes)[number]
export type Samples = Record<Probe, number[]>

/** How long answers are waited for after the last request. */
const patienceMs = 5_000
/** Patterns that the measured organization has before anything is measured. */
const ownPatterns = 200

/**
 * An organization that asks at a low, steady rate, whether or not it was answered: what has to wait counts from when it
 * was due.
 */
export class Prober {
  readonly #port: number
  readonly #key: string
  readonly #idle: Connection[] = []
  #sent = 0

  constructor(port: number, key: string) {
    this.#port = port
    this.#key = key
  }

  async prepare(): Promise<void> {
    const connection = await this.#connect()
    for (let at = 0; at < ownPatterns; at += 50) {
      const items = Array.from({ length: 50 }, (_, i) => ({
        text: `Note ${at + i} of a quiet organization.`,
      }))
      await connection.json('POST', '/v1/memory/text/batch-store', { items })
    }
    const patterns = Array.from({ length: ownPatterns }, (_, i) => ({ key: keyOf(i), value: [i] }))
    await connection.json('POST', '/v1/memory/batch/store', { patterns })
    this.#idle.push(connection)
  }

  /** Times in ms, by what was asked. */
  async measure(ms: number, perSecond: number): Promise<Samples> {
    const samples: Samples = { 'text retrieve': [], 'vector query': [], 'text store': [], list: [] }
    const started = performance.now()
    const waiting = new Set<{ probe: Probe; due: number }>()
    const asked: Promise<void>[] = []
    const count = Math.round((ms / 1_000) * perSecond)
    for (let i = 0; i < count; i++) {
      const due = started + (1_000 * i) / perSecond
      const wait = due - performance.now()
      if (wait > 0) await delay(wait)
      const probe = probes[i % probes.length] as Probe
      const one = { probe, due }
      waiting.add(one)
      asked.push(
        this.#ask(probe).then(() => {
          if (waiting.delete(one)) samples[probe].push(performance.now() - due)
        }),
      )
    }
    const answered = Promise.all(asked)
    // A backlog of minutes is no more worth waiting for: it counts as far as it was seen.
    await Promise.race([answered, delay(patienceMs)])
    for (const { probe, due } of waiting) samples[probe].push(performance.now() - due)
    waiting.clear()
    answered.catch(() => {})
    return samples
  }

  close(): void {
    for (const connection of this.#idle) connection.close()
  }

  async #ask(probe: Probe): Promise<void> {
    const at = this.#sent++
    const connection = this.#idle.pop() ?? (await this.#connect())
    switch (probe) {
      case 'text retrieve':
        await connection.json('POST', '/v1/memory/text/retrieve', { query: `Which note is number ${at}?` })
        break
      case 'vector query':
        await connection.json('POST', '/v1/memory/query', { embedding: keyOf(at), top_k: 5 })
        break
      case 'text store':
        await connection.json('POST', '/v1/memory/text/store', { text: `Another note, number ${at}.` })
        break
      case 'list':
        await connection.json('GET', '/v1/memory/patterns?limit=50')
    }
    this.#idle.push(connection)
  }

  #connect(): Promise<Connection> {
    return Connection.open(this.#port, { 'x-api-key': this.#key })
  }
}

const keyOf = (at: number): number[] =>
  Array.from({ length: filteredDimensions }, (_, i) => Math.sin((at + 1) * (i + 1)))
