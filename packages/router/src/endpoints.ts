import type { CallOptions, InputOf, MemoryClient } from 'memory-service-sdk'
import { type KeptTo, RefusedError, type Scope } from './options.ts'

/** What an endpoint works with. */
interface Work extends KeptTo {
  client: MemoryClient
  /** Fields that were sent; the service validates them. */
  body: Readonly<Record<string, unknown>>
  search: 'recall' | 'retrieve'
  signal: AbortSignal | undefined
}

export interface Endpoint {
  method: 'POST' | 'GET'
  answer(work: Work): Promise<object>
}

export const endpoints: Readonly<Record<string, Endpoint>> = {
  store: { method: 'POST', answer: store },
  query: { method: 'POST', answer: query },
  compose: { method: 'POST', answer: compose },
  forget: { method: 'POST', answer: forget },
  stats: { method: 'GET', answer: stats },
}

async function store(work: Work) {
  const { client, body, scope, subject } = work
  const input = given({ text: body.content, metadata: withScope(body.metadata, scope), subject })
  const { success, pattern_id } = await client.text.store(
    input as InputOf<'POST /v1/memory/text/store'>,
    optionsOf(work),
  )
  return { success, pattern_id }
}

/** The scope wins; what is no object is left for the service to refuse. */
function withScope(metadata: unknown, scope: Scope | undefined): unknown {
  if (scope === undefined) return metadata
  if (metadata == null) return scope
  return typeof metadata === 'object' && !Array.isArray(metadata) ? { ...metadata, ...scope } : metadata
}

/** Finds what `withScope` stores: in a filter a dot in a name would lead into an object, and a `$` name a field of the pattern. */
const filterOf = (scope: Scope | undefined) =>
  scope &&
  Object.fromEntries(Object.entries(scope).map(([name, value]) => [name.replace(/[.$\\]/g, '\\$&'), value]))

async function query(work: Work) {
  const { client, body, scope, subject, search } = work
  const input = given({ query: body.query, top_k: body.top_k, filter: filterOf(scope), subject })
  const { results, latency_ms } = await client.text[search](
    input as InputOf<'POST /v1/memory/text/recall'>,
    optionsOf(work),
  )
  return {
    results: results.map(({ text, metadata, similarity, pattern_id }) => ({
      content: text,
      metadata,
      similarity,
      pattern_id,
    })),
    latency_ms,
  }
}

/** Of the topics alone: nothing stored comes into it, so there is nothing to scope. */
async function compose(work: Work) {
  const input = { texts: work.body.topics ?? missing('topics') }
  const { result, confidence } = await work.client.vectors.compose(
    input as InputOf<'POST /v1/memory/compose'>,
    optionsOf(work),
  )
  return { result, confidence }
}

/** What forget takes; of what the application says, a request may say something else, which is not looked at. */
const fieldsOfForget = new Set(['query', 'category', 'threshold', 'guard', 'dry_run', 'filter', 'subject'])

async function forget(work: Work) {
  const { client, body, scope, subject } = work
  const { query, category, threshold, guard, dry_run } = body
  // With a user alone everything of the user would go.
  if (query == null && category == null) {
    const msg = 'Value error, query or category is required'
    throw new RefusedError(422, [{ type: 'value_error', loc: ['body'], msg, input: body }])
  }
  // Left out, more might go than was meant: by a misspelt threshold, say, all that is as near as the default.
  for (const [field, value] of Object.entries(body))
    if (!fieldsOfForget.has(field)) throw unknownField(field, value)
  for (const [field, value] of Object.entries({ threshold, guard, dry_run })) {
    if (value === null) throw refusedNull(field)
  }
  const selector = { query: query ?? undefined, category: category ?? undefined }
  const input = given({ ...selector, threshold, guard, dry_run, filter: filterOf(scope), subject })
  const { forgotten, pattern_ids, kept } = await client.text.forget(
    input as InputOf<'DELETE /v1/memory/text/forget'>,
    optionsOf(work),
  )
  return { forgotten, pattern_ids, kept }
}

/** Bytes are not counted by user: of one they are null. */
async function stats(work: Work) {
  const { client, scope, subject } = work
  const options = optionsOf(work)
  const whole = await client.text.stats(options)
  if (scope === undefined && subject === undefined) return whole
  const theirs = given({ filter: filterOf(scope), subject, include_superseded: true })
  const { count } = await client.patterns.count(theirs, options)
  return { total_patterns: count, embedding_dim: whole.embedding_dim, storage_bytes: null }
}

/** The fields that were sent, and a user where there is one: the client takes no undefined filter or subject. */
const given = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const refusedNull = (field: string): RefusedError =>
  new RefusedError(422, [
    { type: 'value_error', loc: ['body', field], msg: 'Value error, null is no value of it', input: null },
  ])

const unknownField = (field: string, input: unknown): RefusedError =>
  new RefusedError(422, [
    { type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted', input },
  ])

function missing(field: string): never {
  const loc = ['body', field]
  throw new RefusedError(422, [{ type: 'missing', loc, msg: 'Field required', input: null }])
}

/**
 * The space learns from each end user apart, where their name can be sent in a header, which loses white space at its ends
 * and has no half characters: what has one in its body the service refuses.
 */
function optionsOf({ signal, scope, subject }: Work): CallOptions {
  const actor = [...(subject === undefined ? [] : [subject]), ...Object.values(scope ?? {})].join(':')
  return /^(?!\s)[^\p{Cc}\p{Cs}]{1,128}(?<!\s)$/u.test(actor) ? { signal, actor } : { signal }
}
