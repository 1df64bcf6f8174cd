import { ApiError, apiErrorOf, detailOf, MemoryError } from './errors.ts'
import { batchLimits } from './generated/facts.ts'
import { type AnswerOf, type BatchRoute, batchLists } from './operations.ts'
import { asJson, jsonOf } from './sendable.ts'

/** The answer to several requests in a row, as one would be. */
const merges: { [R in BatchRoute]: (answers: AnswerOf<R>[]) => AnswerOf<R> } = {
  'POST /v1/memory/text/batch-store': (answers) => ({
    stored: sum(answers.map(({ stored }) => stored)),
    failed: sum(answers.map(({ failed }) => failed)),
    pattern_ids: answers.flatMap(({ pattern_ids }) => pattern_ids),
    created: answers.flatMap(({ created }) => created),
    latency_ms: sum(answers.map(({ latency_ms }) => latency_ms)),
  }),
  'POST /v1/memory/batch/store': (answers) => ({
    stored: sum(answers.map(({ stored }) => stored)),
    failed: sum(answers.map(({ failed }) => failed)),
    created: answers.flatMap(({ created }) => created),
  }),
  'POST /v1/memory/batch/retrieve': (answers) => ({ results: answers.flatMap(({ results }) => results) }),
  'POST /v1/memory/text/embed': (answers) => ({
    ...(answers[0] as AnswerOf<'POST /v1/memory/text/embed'>),
    embeddings: answers.flatMap(({ embeddings = [] }) => embeddings),
  }),
  'POST /v1/embeddings': (answers) => ({
    ...(answers[0] as AnswerOf<'POST /v1/embeddings'>),
    data: answers.flatMap(({ data }) => data).map((each, index) => ({ ...each, index })),
    usage: {
      prompt_tokens: sum(answers.map(({ usage }) => usage.prompt_tokens)),
      total_tokens: sum(answers.map(({ usage }) => usage.total_tokens)),
    },
  }),
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/**
 * Sends a batch, in as many requests as the service's limits make of it, one after the other.
 * @param send sends a body, the `part`th of several, or the only one
 * @throws MemoryError of the request that failed, whose `partial` is what those before it answered
 */
export async function sendBatch(
  route: BatchRoute,
  input: object,
  send: (body: string, part: number | undefined) => Promise<AnswerOf<BatchRoute>>,
): Promise<AnswerOf<BatchRoute>> {
  const parts = split(route, input)
  if (parts.length === 1) return send((parts[0] as Part).json, undefined)
  // Each is what the route answers.
  const merged = () => merges[route](answers as never)
  const answers: AnswerOf<BatchRoute>[] = []
  let items = 0
  for (const [part, { json, count }] of parts.entries()) {
    try {
      answers.push(await send(json, part))
    } catch (error) {
      if (!(error instanceof MemoryError) || part === 0) throw error
      const failure = error instanceof ApiError ? movedOn(error, items) : error
      failure.partial = { items, answer: merged() }
      throw failure
    }
    items += count
  }
  return merged()
}

interface Part {
  json: string
  /** How many items of the list it has. */
  count: number
}

function split(route: BatchRoute, input: object): Part[] {
  const name = batchLists[route]
  const { [name]: given, ...rest } = asJson(input, '') as Record<string, unknown>
  const list = asJson(given, name)
  // What is no list is the service's to refuse.
  if (!Array.isArray(list)) return [{ json: jsonOf(input), count: 0 }]
  const before = `${jsonOf({ ...rest, [name]: [] }).slice(0, -']}'.length)}`
  const limits = batchLimits[route] as { items: number; bytes: number }
  const room = limits.bytes - byteLength(before) - ']}'.length
  const parts: string[][] = [[]]
  let bytes = 0
  for (const each of list) {
    const item = jsonOf(each)
    const more = byteLength(item) + ','.length
    let part = parts.at(-1) as string[]
    if (part.length > 0 && (part.length === limits.items || bytes + more > room)) {
      part = []
      parts.push(part)
      bytes = 0
    }
    part.push(item)
    bytes += more
  }
  return parts.map((part) => ({ json: `${before}${part.join(',')}]}`, count: part.length }))
}

const encoder = new TextEncoder()
const byteLength = (text: string) => encoder.encode(text).length

/** A 422 of one of several requests, as one of the whole batch: its places count from the first item. */
function movedOn(error: ApiError, by: number): ApiError {
  if (error.issues.length === 0) return error
  const issues = error.issues.map((issue) => ({
    ...issue,
    loc: issue.loc.map((part, at) => (at === 2 && typeof part === 'number' ? part + by : part)),
  }))
  const { status, requestId, retryAfterS } = error
  return apiErrorOf({ status, detail: detailOf(issues), issues, requestId, retryAfterS })
}
