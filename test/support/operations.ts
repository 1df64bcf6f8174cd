import { randomUUID } from 'node:crypto'
import type { Operation } from '@memory/shared/catalogue/operation'
import { newEmail } from './accounts.ts'
import { document } from './conforms.ts'

export { operations } from './conforms.ts'

/** The names of the parameters in an operation's path. */
export const parametersOf = ({ path }: Operation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

/** An operation's path with values for its parameters. */
export const pathWith = ({ path }: Operation, values: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? `no-${name}`)

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  minItems?: number
  minimum?: number
}

/** A text with all fields of an item. It supersedes nothing: that would have to be there. */
const item = {
  text: 'an example',
  metadata: { a: 1 },
  expires_at: '2999-01-01T00:00:00Z',
  occurred_at: null,
  external_id: 'an example',
  valid_from: '2001-01-01T00:00:00Z',
  valid_to: null,
  supersedes: null,
}

/** Bodies of operations whose fields do not all go together. */
const chosen: Record<string, unknown> = {
  storeText: { ...item, on_conflict: 'replace' },
  batchStoreTexts: { items: [item], on_conflict: 'replace' },
  changePattern: {
    text: 'another example',
    metadata: {},
    expires_at: null,
    protected: false,
    subject: 'ada',
  },
  storeVector: { key: [1], value: [1] },
  batchStoreVectors: { patterns: [{ key: [1], value: [1] }] },
  embedText: { text: 'an example' },
  searchPatterns: { subject: 'ada', q: 'bees' },
  deletePatterns: { pattern_ids: ['pat_01kagw5zdpk2r4f9m0x7y3v8qe'] },
  composeVectors: { keys: [[1], [2]] },
  composeFractional: { key_a: [1, 0], key_b: [0, 1] },
  // Public addresses: no name has to be resolved.
  createWebhook: { url: 'https://1.1.1.1/hook', event_types: null, description: 'a receiver' },
  changeWebhook: { url: 'https://1.0.0.1/hook', event_types: null, description: null, status: 'active' },
  runAccelerationBenchmark: { operations: ['slerp'], n_iterations: 1 },
}

/**
 * A body that an operation takes, with every field that it has, made from its description; undefined for those without.
 * @throws when the operation does not take it
 */
export function bodyOf(operation: Operation): unknown {
  const { id, method, path, body } = operation
  if (body === undefined) return undefined
  const described = document.paths?.[path]?.[method]?.requestBody
  const content = (described as { content: Record<string, { schema: Schema }> }).content
  const made = chosen[id] ?? exampleOf(content['application/json']?.schema ?? {})
  const { error } = body.safeParse(made)
  if (error !== undefined) throw new Error(`No body for ${id}: ${JSON.stringify(made)}, ${error.message}`)
  return made
}

/** The names of the fields of an operation's answer. */
export function answerOf({ method, path }: Operation): string[] {
  const described = document.paths?.[path]?.[method]?.responses?.['200']
  const { content } = (described ?? {}) as { content?: Record<string, { schema?: Schema }> }
  const schema = content?.['application/json']?.schema ?? {}
  const name = schema.$ref?.split('/').at(-1)
  const named = name === undefined ? schema : (document.components?.schemas?.[name] as Schema)
  return Object.keys(named.properties ?? {})
}

function exampleOf(schema: Schema): unknown {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return exampleOf(document.components?.schemas?.[name] as Schema)
  const [example] = schema.examples ?? schema.enum ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf[0] ?? {})
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      return Object.fromEntries(properties.map(([name, each]) => [name, exampleOf(each)]))
    }
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => exampleOf(schema.items ?? {}))
    case 'string':
      return textOf(schema)
    case 'boolean':
      return false
    default:
      return schema.minimum ?? 1
  }
}

function textOf({ format, pattern, minLength = 1 }: Schema): string {
  if (format === 'email') return newEmail()
  if (format === 'uuid') return randomUUID()
  if (format === 'date-time') return new Date(Date.now() + 86_400_000).toISOString()
  if (pattern !== undefined) return '123456'
  return 'an example '.repeat(1 + Math.floor(minLength / 10))
}
