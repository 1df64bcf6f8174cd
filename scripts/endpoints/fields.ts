/** A schema of an OpenAPI document, as far as the comparison reads it. */
interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** An operation of an OpenAPI document, as far as the comparison reads it. */
export interface Documented {
  summary: string
  deprecated?: boolean
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface OpenApi {
  paths: Record<string, Record<string, Documented>>
  components?: { schemas?: Record<string, Schema> }
}

/** The paths of a schema's fields; a list is seen through, and `*` stands for the keys of a map. */
function fieldsOf(schema: Schema | undefined, { components }: OpenApi): string[] {
  const paths = new Set<string>()
  const visit = (at: Schema | boolean | undefined, before: string, seen: string[]): void => {
    if (typeof at !== 'object') return
    if (at.$ref !== undefined) {
      const name = at.$ref.split('/').at(-1) as string
      if (!seen.includes(name)) visit(components?.schemas?.[name], before, [...seen, name])
      return
    }
    for (const part of [...(at.anyOf ?? []), ...(at.oneOf ?? []), ...(at.allOf ?? [])])
      visit(part, before, seen)
    visit(at.items, before, seen)
    const named = Object.entries(at.properties ?? {})
    if (typeof at.additionalProperties === 'object') named.push(['*', at.additionalProperties])
    for (const [name, field] of named) {
      paths.add(before + name)
      visit(field, `${before}${name}.`, seen)
    }
  }
  visit(schema, '', [])
  return [...paths]
}

/** Fields of an operation's body and query. */
export function takenBy(operation: Documented, document: OpenApi): string[] {
  const queries = (operation.parameters ?? []).filter((each) => each.in === 'query')
  const body = operation.requestBody?.content['application/json']?.schema
  return [...queries.map(({ name }) => name), ...fieldsOf(body, document)]
}

/** Status and fields of an operation's success. */
export function answeredBy(operation: Documented, document: OpenApi): { status: number; fields: string[] } {
  const [status = '', answer] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  return { status: Number(status), fields: fieldsOf(answer?.content?.['application/json']?.schema, document) }
}

/** What is in `here` and not in `there`, at the levels that `there` describes. */
export function addedTo(there: string[], here: string[]): string[] {
  const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))
  const described = new Set(['', ...there.map(parentOf)])
  return here.filter((path) => !there.includes(path) && described.has(parentOf(path)))
}
