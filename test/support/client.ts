import { type Answer, Requests, textOf } from './requests.ts'

export interface Identity {
  key: string
  keyId: string
  organizationId: string
}

/**
 * Sends requests as one API key. Unlike the client of `packages/sdk` it sends what is wrong, never again, and answers any
 * status with its body as it came: those are what most tests look at.
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

  /** Sends `body` as JSON (a string or Buffer as it is). */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'X-API-Key': this.key,
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: Buffer.isBuffer(sent) ? new Uint8Array(sent) : (sent ?? null),
    })
    const text = await textOf(response)
    return {
      status: response.status,
      headers: response.headers,
      // What is downloaded is a file.
      body: /^application\/json/.test(response.headers.get('content-type') ?? '')
        ? JSON.parse(text)
        : text || undefined,
    }
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

/** Characters of texts that are encoded in time together, however busy the machine is. */
const charactersAtOnce = 12_000

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
