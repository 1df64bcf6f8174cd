import { errors } from '@memory/shared/catalogue/errors'
import type { Operation } from '@memory/shared/catalogue/operation'
import { examples, Given, type RequestExample, resolve, type Value } from './examples.ts'
import type { createOpenApi } from './openapi.ts'

type Document = ReturnType<typeof createOpenApi>

/** The parts of the document that examples belong to. */
interface Described {
  description?: string
  parameters?: { name?: string; in?: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { links?: Record<string, Link> }>
}

/** Which part of an answer goes where in another request, as OpenAPI has it. */
interface Link {
  operationId: string
  parameters?: Record<string, unknown>
  requestBody?: unknown
}

/** Adds to the document what `examples` says: values for each request, notes, and links from answers to requests. */
export function addExamples(document: Document, operations: readonly Operation[]): void {
  const described = new Map(
    operations.map((operation) => {
      const { id, path, method } = operation
      return [id, { operation, entry: document.paths?.[path]?.[method] as unknown as Described }]
    }),
  )
  for (const [id, { entry }] of described) {
    const example = examples[id]
    if (example === undefined) continue
    addValues(entry, example)
    const summaryOf = (source: string) => described.get(source)?.operation.summary ?? source
    const notes = notesOf(example, summaryOf)
    entry.description = [entry.description, ...notes].filter((text) => text).join('\n\n')
    for (const [source, link] of linksTo(id, example)) {
      const { operation, entry: from } = described.get(source) ?? {}
      const answer = from?.responses[operation?.status ?? 200]
      if (answer !== undefined) answer.links = { ...answer.links, [id]: link }
    }
  }
}

function addValues(entry: Described, { params, query, body }: RequestExample): void {
  for (const parameter of entry.parameters ?? []) {
    const values = { path: params, query }[parameter.in ?? ''] as Record<string, Value> | undefined
    const value = values?.[parameter.name ?? '']
    if (value !== undefined) parameter.example = resolve(value, sampleOf)
  }
  const content = entry.requestBody?.content['application/json']
  if (content !== undefined && body !== undefined) content.example = resolve(body, sampleOf)
}

const sampleOf = ({ sample }: Given) => sample

/** Notes on an example: which of its values have to be replaced, and until when it is refused. */
function notesOf({ params, body, refused }: RequestExample, summaryOf: (source: string) => string): string[] {
  const places = [...placesOf({ ...params }), ...placesOf(body)]
  return [
    ...places.map(([name, { sources }]) => {
      const answers = Object.keys(sources).map((source) => `“${summaryOf(source)}”`)
      return `The example’s \`${name}\` stands for that of an answer of ${answers.join(' or ')}; as it is, nothing has it.`
    }),
    ...(refused === undefined
      ? []
      : [`The example is answered with ${errors[refused.code].status} until ${refused.until}.`]),
  ]
}

/** The parts of a value that come from earlier answers, each with its place in it. */
function* placesOf(value: Value | undefined, name = ''): Generator<[string, Given]> {
  if (value instanceof Given) yield [name, value]
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value))
      yield* placesOf(each, name === '' ? key : `${name}.${key}`)
}

/** The links to an operation, with the operations whose answers they are in. */
function linksTo(operationId: string, { params = {}, body }: RequestExample): [string, Link][] {
  const sources = [...placesOf(params), ...placesOf(body)].flatMap(([, given]) => Object.keys(given.sources))
  return [...new Set(sources)].map((source) => {
    const isFrom = ([, given]: [string, Given]) => source in given.sources
    const expression = (given: Given) =>
      source in given.sources ? `$response.body#${given.sources[source]}` : given.sample
    const parameters = [...placesOf(params)].filter(isFrom).map(([name, given]) => [name, expression(given)])
    return [
      source,
      {
        operationId,
        ...(parameters.length > 0 ? { parameters: Object.fromEntries(parameters) } : {}),
        ...(body !== undefined && [...placesOf(body)].some(isFrom)
          ? { requestBody: resolve(body, expression) }
          : {}),
      },
    ]
  })
}
