import type { Connection } from '../support/client.ts'
import { type Found, listLength, measure } from '../support/evidence-recall.ts'
import type { PausedService } from '../support/paused-service.ts'
import type { Trainee } from './practice.ts'
import type { Asked, SpaceCase } from './spaces.ts'

/** Patterns that a practising caller asks for. */
const practiceLength = 10
const batchItems = 50

/** A space of the service that holds the turns of a case, over HTTP. */
export class HttpSpace implements Trainee {
  readonly #service: PausedService
  readonly #connection: Connection
  readonly #ids: readonly string[]
  /** Of each turn, by idx. */
  readonly #patterns: string[] = []

  private constructor(service: PausedService, connection: Connection, ids: readonly string[]) {
    this.#service = service
    this.#connection = connection
    this.#ids = ids
  }

  static async fill(service: PausedService, { turns, ids }: SpaceCase): Promise<HttpSpace> {
    const space = new HttpSpace(service, await service.newSpace(), ids)
    for (let from = 0; from < turns.length; from += batchItems) {
      const items = turns.slice(from, from + batchItems).map(({ text, subject }) => ({ text, subject }))
      const path = '/v1/memory/text/batch-store'
      const stored = await space.#post<{ pattern_ids: string[] }>(path, { items })
      space.#patterns.push(...stored.pattern_ids)
    }
    return space
  }

  /** What an endpoint finds for a question. */
  async measure(asked: Asked, endpoint: 'retrieve' | 'recall'): Promise<{ ranking: string[]; found: Found }> {
    const ranking = (await this.#find(asked, endpoint, listLength)).map((idx) => this.#ids[idx] as string)
    return { ranking, found: measure(asked.question, ranking) }
  }

  async ask(asked: Asked): Promise<number[]> {
    const answer = await this.#find(asked, 'recall', practiceLength)
    await this.#service.write()
    return answer
  }

  async tell({ text }: Asked, idx: number): Promise<void> {
    await this.#post('/v1/memory/feedback', { pattern_id: this.#patterns[idx], useful: true, query: text })
  }

  close(): void {
    this.#connection.close()
  }

  async #find({ text, subject }: Asked, endpoint: string, count: number): Promise<number[]> {
    const path = `/v1/memory/text/${endpoint}`
    const filter = subject === undefined ? undefined : { $subject: subject }
    const body = { query: text, top_k: count, filter }
    const { results } = await this.#post<{ results: { pattern_id: string }[] }>(path, body)
    return results.map(({ pattern_id }) => {
      const idx = this.#patterns.indexOf(pattern_id)
      if (idx === -1) throw new Error(`${path} answered ${pattern_id}, which this space does not hold`)
      return idx
    })
  }

  async #post<T>(path: string, body: unknown): Promise<T> {
    const answer = await this.#connection.send('POST', path, body, { 'x-memory-actor': 'one' })
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`POST ${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
    }
    return JSON.parse(answer.text) as T
  }
}
