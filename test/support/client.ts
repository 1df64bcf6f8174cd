import { type Answer, Requests, send } from './requests.ts'

/** An API key, and the organization that it is of. */
export interface Identity {
  key: string
  keyId: string
  organizationId: string
}

/**
 * Sends requests as one API key. Unlike the client of `packages/sdk` it also sends what is wrong, repeats nothing, and
 * returns any status with its body as it came: those are what most tests look at.
 */
export class Client extends Requests implements Identity {
  readonly key: string
  readonly keyId: string
  readonly organizationId: string
  readonly url: string

  constructor(url: string, identity: Identity) {
    super()
    this.url = url
    this.key = identity.key
    this.keyId = identity.keyId
    this.organizationId = identity.organizationId
  }

  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return send(this.url + path, method, { 'X-API-Key': this.key, ...headers }, body)
  }

  /** Stores texts; fails the test when one is refused. @returns their ids. */
  async store(texts: (string | { text: string; metadata?: object; subject?: string })[]): Promise<string[]> {
    const ids: string[] = []
    for (const items of requestsOf(texts.map((each) => (typeof each === 'string' ? { text: each } : each)))) {
      const answer = await this.post('/v1/memory/text/batch-store', { items })
      if (answer.status !== 200)
        throw new Error(`batch-store answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      ids.push(...answer.body.pattern_ids)
    }
    return ids
  }

  /** Texts found for a query, best first. */
  async retrieve(query: string, options: object = {}): Promise<string[]> {
    const answer = await this.post('/v1/memory/text/retrieve', { query, ...options })
    if (answer.status !== 200)
      throw new Error(`retrieve answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body.results.map((result: { text: string }) => result.text)
  }
}

/** The most characters of the texts of one request, so that they are encoded in time however busy the machine is. */
const charactersAtOnce = 12_000

/** Splits items into requests of at most `charactersAtOnce`. */
function requestsOf<Item extends { text: string }>(items: readonly Item[]): Item[][] {
  const requests: Item[][] = [[]]
  let characters = 0
  for (const item of items) {
    if (characters > 0 && characters + item.text.length > charactersAtOnce) {
      requests.push([])
      characters = 0
    }
    requests.at(-1)?.push(item)
    characters += item.text.length
  }
  return requests
}
