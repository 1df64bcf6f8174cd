import { limits } from '@memory/shared/catalogue/limits'
import type { Operation } from '@memory/shared/catalogue/operation'
import { aboutOf, docstring, pascalCase, type Schema, type Types } from './types.ts'

/** An operation as the OpenAPI document has it. */
export interface Described {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  parameters?: { in?: string; name?: string; required?: boolean; schema?: Schema }[]
  requestBody?: { required?: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** All that a method of Python's is made of. */
export interface Method {
  group: string
  name: string
  operation: Operation
  described: Described
  isIterator: boolean
}

/** What a body that is no object is called. */
const bodies: Record<string, string> = { deleteVectors: 'key', receiveBillingEvent: 'event' }

/** Lists that are sent in parts where they are longer than the service takes them, and their answers joined. */
const batched: Record<string, string[]> = {
  batchStoreTexts: ['items'],
  batchStoreVectors: ['patterns'],
  batchRetrieveVectors: ['queries'],
  createEmbeddings: ['input'],
  embedText: ['texts'],
  getPatterns: ['pattern_ids', 'external_ids'],
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The methods as Python has them; their types are defined on the way. */
export class Methods {
  readonly #types: Types
  readonly #components: Record<string, Schema>

  constructor(types: Types, components: Record<string, Schema>) {
    this.#types = types
    this.#components = components
  }

  /** The line of the table of operations. */
  row({ group, name, operation, described }: Method): string {
    const { method, path, access, idempotent, media } = operation
    const facts = [`"${group}.${name}"`, `"${method.toUpperCase()}"`, `"${path}"`]
    facts.push(`takes="${this.#takes(described)}"`)
    // What reads, the service answers alike however often it is asked.
    if (method === 'get' || access === 'memory:read') facts.push('safe=True')
    if (idempotent) facts.push('keyed=True')
    if (operation.streams) facts.push('streams=True')
    else if (media !== undefined) facts.push('file=True')
    if (operation.versioned && method !== 'get') facts.push('versioned=True')
    const answer = this.#answer(described)
    if (answer.startsWith('builtins.list[')) facts.push('answers_list=True')
    const scope = this.#scopeOf(operation, described)
    if (scope !== undefined) facts.push(`scope="${scope}"`)
    if (this.#isFiltered(described)) facts.push('filtered=True')
    const lists = batched[operation.id]
    if (lists !== undefined) {
      const fields = this.#fields(described)
      const [most] = new Set(lists.map((list) => mostOf(fields.find((field) => field.name === list)?.schema)))
      if (most === undefined) throw new Error(`${operation.id} has no limit of ${lists}`)
      facts.push(
        `lists=(${lists.map((list) => `"${list}",`).join(' ')})`,
        `most=${most}`,
        `most_bytes=${operation.bodyBytes ?? limits.bodyBytes}`,
      )
    }
    return `${constant(operation)}: Operation[${answer}] = Operation(${facts.join(', ')})\n`
  }

  /** A class of Python's with the methods of a group. */
  group(name: string, methods: readonly Method[], isAsync: boolean): string {
    const kind = isAsync ? 'AsyncCalls' : 'SyncCalls'
    const body = methods.map((method) => this.#method(method, isAsync)).join('\n')
    return `class ${pascalCase(name)}:\n    __slots__ = ("_calls",)\n\n    def __init__(self, calls: ${kind}) -> None:\n        self._calls = calls\n\n${body}`
  }

  #method(method: Method, isAsync: boolean): string {
    const { name, operation, described, isIterator } = method
    if (operation.streams) return stream(method, isAsync)
    const ids = (described.parameters ?? []).filter((each) => each.in === 'path')
    const takes = this.#takes(described)
    const fields = takes === 'value' ? [] : this.#fields(described)
    const parameters = ids.map((id) => `${id.name}: ${id.schema?.type === 'integer' ? 'int' : 'str'}`)
    const { schema } = described.requestBody?.content['application/json'] ?? {}
    const value = bodies[operation.id]
    if (takes === 'value') {
      parameters.push(
        `${value}: ${this.#types.typeOf(schema as Schema, 'Body', { direction: 'given', isElsewhere: true })}`,
      )
    }
    if (fields.length > 0) parameters.push('*')
    const required = fields.filter((field) => field.isRequired)
    for (const field of [...required, ...fields.filter((each) => !each.isRequired)]) {
      const named = `${pascalCase(this.#objectName(described))}${pascalCase(field.name)}`
      const type =
        field.name === 'subject' && this.#isFiltered(described)
          ? 'str | Sequence[str] | Nobody'
          : this.#types.givenField(field.name, field.schema, named, true)
      parameters.push(`${field.name}: ${type}${field.isRequired ? '' : ' | Omit = OMIT'}`)
    }
    const lines = ['self', ...parameters, '**options: Unpack[CallOptions]'].map(
      (each) => `        ${each},\n`,
    )
    const given =
      takes === 'value' ? value : `given(${fields.map((field) => `${field.name}=${field.name}`).join(', ')})`
    const args = [
      `op.${constant(operation)}`,
      ids.length === 0 ? '()' : `(${ids.map((id) => `${id.name},`).join(' ')})`,
      fields.length === 0 && takes !== 'value' ? '{}' : given,
      'options',
    ]
    const [sets, answer, call] = this.#flow(described, isIterator, isAsync)
    if (isIterator) args.push(`"${this.#items(described).name}"`)
    if (operation.tagged && !isIterator) {
      // What it answers depends on whether an earlier answer is known.
      const head = (more: string, answer: string) =>
        `    ${sets} ${name}(\n${lines.slice(0, -1).join('')}${more}${lines.at(-1)}    ) -> ${answer}:`
      const known = '        if_none_match: str | None'
      const said = docstring(about(method, fields, [ifNoneMatch]), 8)
      const tagged = `${call.replace(/call$/, 'tagged')}(${args.join(', ')}, if_none_match)`
      return `    @overload\n${head(`${known},\n`, `${answer} | None`)} ...\n
    @overload\n${head('', answer)} ...\n
${head(`${known} = None,\n`, `${answer} | None`)}\n${said}        return ${tagged}\n`
    }
    return `    ${sets} ${name}(\n${lines.join('')}    ) -> ${answer}:\n${docstring(about(method, fields), 8)}        return ${call}(${args.join(', ')})\n`
  }

  /** How a method begins, what it answers, and whom it asks. */
  #flow(described: Described, isIterator: boolean, isAsync: boolean): [string, string, string] {
    if (!isIterator) {
      const answer = this.#answer(described)
      return isAsync ? ['async def', answer, 'await self._calls.call'] : ['def', answer, 'self._calls.call']
    }
    const { type } = this.#items(described)
    return ['def', `${isAsync ? 'AsyncIterator' : 'Iterator'}[${type}]`, 'self._calls.pages']
  }

  /** The list of an answer that is a page. */
  #items(described: Described): { name: string; type: string } {
    const { $ref } = this.#success(described)?.schema ?? {}
    const { properties } = this.#components[$ref?.split('/').at(-1) ?? ''] ?? {}
    const lists = Object.entries(properties ?? {}).filter(([, schema]) => schema.type === 'array')
    const [name, list] = lists[0] ?? []
    if (lists.length !== 1 || name === undefined || list?.items === undefined)
      throw new Error(`${described.operationId} does not answer one list`)
    return { name, type: this.#types.typeOf(list.items, name, { direction: 'answered', isElsewhere: true }) }
  }

  #success(described: Described): { schema: Schema } | undefined {
    const [, response] = Object.entries(described.responses).find(([status]) => status < '300') ?? []
    return response?.content?.['application/json']
  }

  #answer(described: Described): string {
    if ('text/event-stream' in (described.responses['200']?.content ?? {})) return 'Stream'
    const content = this.#success(described)
    if (content === undefined) return 'bytes'
    const name = `${pascalCase(described.operationId.replace(/^[a-z]/, (first) => first.toUpperCase()))}Response`
    return this.#types.typeOf(content.schema, name, { direction: 'answered', isElsewhere: true })
  }

  #takes(described: Described): 'nothing' | 'query' | 'body' | 'value' {
    if (described.requestBody !== undefined) return described.operationId in bodies ? 'value' : 'body'
    return (described.parameters ?? []).some((each) => each.in === 'query') ? 'query' : 'nothing'
  }

  #objectName(described: Described): string {
    const { $ref } = described.requestBody?.content['application/json'].schema ?? {}
    return ($ref?.split('/').at(-1) ?? `${described.operationId}`).replace(/Request$/, '')
  }

  /** The fields of body or query. */
  #fields(described: Described): Field[] {
    const { schema } = described.requestBody?.content['application/json'] ?? {}
    if (schema === undefined) {
      const queried = (described.parameters ?? []).filter((each) => each.in === 'query')
      return queried.map((each) => ({
        name: each.name as string,
        schema: each.schema ?? {},
        isRequired: each.required === true,
      }))
    }
    const object = this.#components[schema.$ref?.split('/').at(-1) ?? '']
    const required = new Set(object?.required ?? [])
    return Object.entries(object?.properties ?? {}).map(([name, each]) => ({
      ...{ name, schema: each, isRequired: required.has(name) },
    }))
  }

  /** Whether a query has a filter beside the subject: it says who is meant where those are several, or nobody. */
  #isFiltered(described: Described): boolean {
    const names = this.#takes(described) === 'query' ? this.#fields(described).map(({ name }) => name) : []
    return names.includes('filter') && names.includes('subject')
  }

  /**
   * How a client that speaks for one end user keeps an operation to that user: by a field, by the same field in each item of
   * a list, by the id in the path, or because it works on nothing that is stored.
   */
  #scopeOf({ method, subjects, access }: Operation, described: Described): string | undefined {
    if (described.parameters?.some((each) => each.in === 'path' && each.name === 'subject')) return 'path'
    const fields = described.operationId in bodies ? [] : this.#fields(described)
    // In a change it is the end user whom a pattern goes to, whosever it was.
    if (method !== 'patch' && fields.some(({ name }) => name === 'subject')) return 'subject'
    const list = fields.find(({ schema }) => schema.items?.properties?.subject !== undefined)
    if (list !== undefined) return `${list.name}[]`
    return subjects === 'none' || access === 'anyone' ? 'free' : undefined
  }
}

/** How many items a list may have. */
const mostOf = (schema: Schema | undefined): number | undefined =>
  schema?.maxItems ?? schema?.anyOf?.find(({ type }) => type === 'array')?.maxItems

/** The method of an operation that streams, in words of its own: it connects by itself, and goes on after the last event. */
const stream = ({ name, operation, described }: Method, isAsync: boolean): string => `    def ${name}(
        self,
        *,
        last_event_id: str | None = None,
        max_seconds: int | Omit = OMIT,
        **options: Unpack[CallOptions],
    ) -> ${isAsync ? 'AsyncGenerator[NotificationEvent, None]' : 'Generator[NotificationEvent, None, None]'}:
${docstring(
  `${described.summary}.

An iterator without an end, which connects again by itself, goes on after the last event that it has told, and raises what connecting again does not help. Leaving its loop closes the connection when nobody holds it any more, its method \`close\` (\`aclose\` of an asynchronous one) at once.

An API key needs the scope \`${operation.access}\`.

Args:
    last_event_id: The \`id\` of the last event that is known: all after it are told. Without it what comes from now on is.
    max_seconds: It ends after so long, and does not connect again: for programs that look in now and then.
    timeout: After so many seconds of silence it connects again. The service says something every ten seconds; 45 unless given.
    max_retries: How often in a row it tries to connect; without end unless given.`,
  8,
)}        return self._calls.events(op.${constant(operation)}, given(max_seconds=max_seconds), options, last_event_id)
`

/** `STORE_TEXT` */
function constant({ id }: Operation): string {
  return id.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()
}

const ifNoneMatch = [
  'if_none_match',
  'The `etag` of an earlier answer: while nothing of it has changed, the call gives None.',
] as const

/** @param more what is said of further parameters */
function about(
  { described, isIterator }: Method,
  fields: readonly Field[],
  more: (readonly [name: string, text: string])[] = [],
): string {
  const { summary, description, deprecated } = described
  const parts = [`${summary}${isIterator ? ', page after page as they are asked for' : ''}.`]
  if (deprecated) parts.push('Deprecated.')
  if (description) parts.push(description.replaceAll(/\n\n+/g, '\n\n'))
  const lists = batched[described.operationId]
  if (lists !== undefined)
    parts.push(`A longer list of ${lists.join(' and ')} goes in parts, a request each.`)
  const said = [...fields.map(({ name, schema }) => [name, aboutOf(schema)] as const), ...more].filter(
    ([, text]) => text !== '',
  )
  if (said.length > 0) {
    parts.push(
      ['Args:', ...said.map(([name, text]) => `    ${name}: ${text.replaceAll('\n', ' ')}`)].join('\n'),
    )
  }
  return parts.join('\n\n')
}
