import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharperDetails } from '@memory/shared/catalogue/errors'
import type { ListedPattern, StoreItem } from '../../apps/cli/src/client.ts'

export interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface FakeOptions {
  /** Answers instead of the service, for faults; `undefined` lets the service answer. */
  fault?: (request: { method: string; path: string; number: number }) => Answer | undefined
  /** After a batch is stored, with its answer still unsent; another answer may be sent in its place. */
  stored?: (batches: number) => Answer | undefined | Promise<Answer | undefined>
  patternsMax?: number
  /** How many patterns a subject may have. */
  subjectMax?: number
}

export interface FakeService {
  url: string
  key: string
  patterns: Kept[]
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: unknown }[]
  options: FakeOptions
  close(): Promise<void>
}

/** The part of a pattern that an export writes. */
type Kept = Omit<ListedPattern, 'access_count' | 'last_accessed' | 'tier'>

interface Remembered {
  body: string
  answer: Answer | undefined
}

/** The part of the service that the commands call, in memory, with faults on demand. */
export async function startFakeService(options: FakeOptions = {}): Promise<FakeService> {
  const remembered = new Map<string, Remembered>()
  let batches = 0
  const fake: FakeService = {
    url: '',
    key: 'mk_live_0123456789abcdefghijklmnopqrstuvwxyz',
    patterns: [],
    requests: [],
    options,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }

  async function respond(request: IncomingMessage, source: string): Promise<Answer> {
    const method = request.method ?? ''
    const { pathname: path } = new URL(request.url ?? '', 'http://fake')
    const body = source === '' ? undefined : JSON.parse(source)
    fake.requests.push({ method, path, headers: request.headers, body })
    const fault = fake.options.fault?.({ method, path, number: fake.requests.length })
    if (fault !== undefined) return fault
    if (request.headers['x-api-key'] !== fake.key) return failed(401, 'Invalid API key')
    switch (`${method} ${path}`) {
      case 'POST /v1/memory/text/batch-store':
        return await once(String(request.headers['idempotency-key']), source, () => store(body.items))
      case 'POST /v1/memory/batch/store':
        return await once(String(request.headers['idempotency-key']), source, () => store(body.patterns))
      case 'POST /v1/memory/patterns/count':
        return ok({ count: fake.patterns.length })
      case 'POST /v1/memory/patterns/search':
        return list(Number(body.cursor ?? 0), body.limit)
      default:
        return failed(404, 'Not Found')
    }
  }

  async function once(key: string, body: string, work: () => Answer): Promise<Answer> {
    const known = remembered.get(key)
    if (known !== undefined) {
      if (known.body !== body) return failed(422, 'Idempotency-Key was used with another body')
      if (known.answer === undefined) return failed(409, 'A request with this Idempotency-Key is running')
      return { ...known.answer, headers: { 'Idempotent-Replay': 'true' } }
    }
    const entry: Remembered = { body, answer: undefined }
    remembered.set(key, entry)
    entry.answer = work()
    if (entry.answer.status >= 400) {
      remembered.delete(key)
      return entry.answer
    }
    return (await fake.options.stored?.(++batches)) ?? entry.answer
  }

  function store(items: StoreItem[]): Answer {
    const refused = items.flatMap((item, index) =>
      item.text?.includes('refuse me')
        ? [{ loc: ['body', 'items', index, 'text'], msg: 'Value error', type: 'value_error' }]
        : [],
    )
    if (refused.length > 0) return { status: 422, body: { detail: refused } }
    // The service names the first alone.
    const late = items.findIndex(
      (item) => item.expires_at != null && Date.parse(item.expires_at) <= Date.now(),
    )
    if (late >= 0) {
      const loc = ['body', 'items', late, 'expires_at']
      return { status: 422, body: { detail: [{ loc, msg: 'must be in the future', type: 'value_error' }] } }
    }
    const { subjectMax = Number.POSITIVE_INFINITY } = fake.options
    const subjects = [...fake.patterns, ...items].map(({ subject }) => subject)
    if (items.some(({ subject: of }) => of && subjects.filter((each) => each === of).length > subjectMax))
      return failed(429, sharperDetails.subject_full, { 'Retry-After': '3600' })
    const kept = items.map((item) => put(item))
    const created = kept.map((each) => each?.isNew ?? null)
    const pattern_ids = kept.flatMap((each) => (each === undefined ? [] : [each.pattern_id]))
    const stored = pattern_ids.length
    if (stored === 0 && items.length > 0) {
      const answer = failed(429, 'Pattern storage limit reached')
      return { ...answer, headers: { 'Retry-After': '3600' } }
    }
    return ok({ stored, failed: items.length - stored, pattern_ids, latency_ms: 1, created })
  }

  /** What has the own id of another takes its place, for which there is always room; undefined where there is none. */
  function put(item: StoreItem): { pattern_id: string; isNew: boolean } | undefined {
    const there = fake.patterns.find(({ external_id }) => external_id === (item.external_id ?? ''))
    if (there === undefined) {
      const isFull = fake.patterns.length >= (fake.options.patternsMax ?? Number.POSITIVE_INFINITY)
      return isFull ? undefined : { pattern_id: append(item), isNew: true }
    }
    Object.assign(there, { text: item.text, metadata: item.metadata ?? {} })
    return { pattern_id: there.pattern_id, isNew: false }
  }

  function append({ text, metadata, occurred_at, expires_at, ...item }: StoreItem): string {
    const pattern_idx = fake.patterns.length
    const pattern_id = `pat_${String(pattern_idx).padStart(26, '0')}`
    const created_at = '2026-01-01T00:00:00.000Z'
    fake.patterns.push({
      pattern_id,
      pattern_idx,
      text,
      metadata: metadata ?? {},
      created_at,
      occurred_at: occurred_at ?? created_at,
      expires_at: expires_at ?? null,
      external_id: item.external_id ?? null,
      subject: item.subject ?? null,
      protected: item.protected ?? false,
      asked_protected: item.protected ?? null,
      version: 1,
      updated_at: created_at,
      valid_from: occurred_at ?? created_at,
      valid_to: null,
      supersedes: null,
      superseded_by: null,
    })
    return pattern_id
  }

  function list(from: number, limit: number): Answer {
    const patterns = fake.patterns.slice(from, from + limit)
    const next = from + limit < fake.patterns.length ? String(from + limit) : null
    return ok({ patterns, next_cursor: next })
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    write(response, await respond(request, Buffer.concat(chunks).toString()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

export const ok = (body: unknown): Answer => ({ status: 200, body })

export const failed = (status: number, detail: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { detail },
  headers,
})

function write(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
