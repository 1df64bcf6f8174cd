/** A schema as the OpenAPI document has it, as far as the service uses the language. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
  format?: string
  maxItems?: number
}

/** Whether callers give a value, which may then be more than JSON has, or are answered it. */
export type Direction = 'given' | 'answered'

/** Where a type is written: in the module of the types, or in one whose methods are named like types. */
interface Place {
  direction: Direction
  isElsewhere?: boolean
}

const keywords = new Set(['from', 'import', 'class', 'def', 'in', 'is', 'global', 'pass', 'not', 'or', 'and'])

/** Python's types of schemas. Objects become TypedDicts, written as they are first met. */
export class Types {
  readonly #components: Record<string, Schema>
  readonly #classes = new Map<string, { text: string; direction: Direction; schema: Schema }>()

  constructor(components: Record<string, Schema>) {
    this.#components = components
  }

  /** Those that were met, by name. */
  get names(): string[] {
    return [...this.#classes.keys()].toSorted()
  }

  /** The TypedDicts that were met, in the order of their names. */
  render(): string {
    return this.names.map((name) => this.#classes.get(name)?.text).join('\n\n')
  }

  /** @param name what an object without a name of its own is called */
  typeOf(schema: Schema, name: string, place: Place): string {
    if (schema.$ref !== undefined) return this.#component(schema.$ref, place)
    if (schema.anyOf) return union(schema.anyOf.map((each) => this.typeOf(each, name, place)))
    if (schema.enum) return literal(schema.enum)
    if ('const' in schema) return literal([schema.const])
    const { type } = schema
    if (Array.isArray(type))
      return union(type.map((each) => this.typeOf({ ...schema, type: each }, name, place)))
    switch (type) {
      case 'string':
        return schema.format === 'date-time' && place.direction === 'given' ? 'str | datetime' : 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'array':
        return this.#list(schema.items ?? {}, name, place)
      case 'object':
        return this.#object(schema, name, place)
      case undefined:
        return 'Any'
      default:
        throw new Error(`There is no type of Python's for ${JSON.stringify(schema)}`)
    }
  }

  /** The type of a field that is given, where None never stands for `everybody`. */
  givenField(field: string, schema: Schema, name: string, isElsewhere: boolean): string {
    const type = this.typeOf(schema, name, { direction: 'given', isElsewhere })
    if (field === 'filter') return type === 'str' ? 'Mapping[str, Any] | str' : type.replace(' | None', '')
    if (field === 'subject') return type.replace(' | None', ' | Nobody')
    return type
  }

  #list(items: Schema, name: string, place: Place): string {
    const item = this.typeOf(items, name.replace(/ies$/, 'y').replace(/s$/, ''), place)
    if (place.direction === 'given') {
      // Numbers in an array, such as NumPy's, are a list to the client (`listed`), and so are lists of them.
      const isOfNumbers = item === 'float' || item.endsWith('Numbers')
      return `Sequence[${item}]${isOfNumbers ? ' | Numbers' : ''}`
    }
    return `${place.isElsewhere ? 'builtins.' : ''}list[${item}]`
  }

  #object(schema: Schema, name: string, { direction, isElsewhere }: Place): string {
    const { properties, additionalProperties: rest } = schema
    if (properties === undefined) {
      const value = typeof rest === 'object' ? this.typeOf(rest, `${name}Value`, { direction }) : 'Any'
      return direction === 'given' ? `Mapping[str, ${value}]` : `dict[str, ${value}]`
    }
    this.#define(name, schema, direction)
    return isElsewhere ? `t.${name}` : name
  }

  #component(ref: string, { direction, isElsewhere }: Place): string {
    const name = ref.split('/').at(-1) as string
    const schema = this.#components[name]
    if (schema === undefined) throw new Error(`There is no ${ref}`)
    if (schema.properties === undefined)
      return this.typeOf(schema, name, { direction, isElsewhere: isElsewhere ?? false })
    this.#define(name, schema, direction)
    return isElsewhere ? `t.${name}` : name
  }

  #define(name: string, schema: Schema, direction: Direction): void {
    const there = this.#classes.get(name)
    if (there !== undefined) {
      if (there.direction === direction && JSON.stringify(there.schema) === JSON.stringify(schema)) return
      throw new Error(`Two shapes are named ${name}`)
    }
    const entry = { text: '', direction, schema }
    this.#classes.set(name, entry)
    entry.text = this.#typedDict(name, schema, direction)
  }

  #typedDict(name: string, schema: Schema, direction: Direction): string {
    const required = new Set(schema.required ?? [])
    const fields = Object.entries(schema.properties ?? {}).map(([field, of]) => {
      const named = `${name.replace(/(Request|Response)$/, '')}${pascalCase(field)}`
      const type =
        direction === 'given'
          ? this.givenField(field, of, named, false)
          : this.typeOf(of, named, { direction })
      return { field, type, about: aboutOf(of), isRequired: required.has(field) }
    })
    if (fields.some(({ field }) => keywords.has(field))) {
      if (fields.some(({ isRequired }) => !isRequired)) throw new Error(`${name} can't be written as a call`)
      const entries = fields.map(({ field, type }) => `"${field}": "${type}"`)
      return `${name} = TypedDict("${name}", {${entries.join(', ')}})\n`
    }
    const write = (some: typeof fields) =>
      some
        .map(({ field, type, about }) => `    ${field}: ${type}\n${about === '' ? '' : docstring(about, 4)}`)
        .join('')
    const [needed, others] = [
      fields.filter((each) => each.isRequired),
      fields.filter((each) => !each.isRequired),
    ]
    const about = docstring(schema.description ?? '', 4)
    if (others.length === 0) return `class ${name}(TypedDict):\n${about}${write(needed) || '    pass\n'}`
    if (needed.length === 0) return `class ${name}(TypedDict, total=False):\n${about}${write(others)}`
    return `class _${name}Required(TypedDict):\n${write(needed)}\n\nclass ${name}(_${name}Required, total=False):\n${about}${write(others)}`
  }
}

export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** What is said of a field, also where only one of its alternatives says it. */
export function aboutOf(schema: Schema): string {
  return schema.description ?? schema.anyOf?.find(({ description }) => description)?.description ?? ''
}

/** A string that says what stands before or after it, in lines of its own; empty where there is nothing to say. */
export function docstring(text: string, indent: number): string {
  if (text === '') return ''
  const lines = text.split('\n').flatMap((line) => wrap(line, 112 - indent))
  const pad = ' '.repeat(indent)
  const escaped = lines
    .map((line) => (line === '' ? '' : pad + line))
    .join('\n')
    .trim()
  const raw = escaped.includes('\\') ? 'r' : ''
  return `${pad}${raw}"""${escaped}${lines.length > 1 ? `\n${pad}` : ''}"""\n`
}

/** Lines of at most so many characters; those that an indented line goes on in are indented further. */
function wrap(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = indent
  for (const word of line.trim().split(' ')) {
    if (current.trim() !== '' && current.length + 1 + word.length > width) {
      lines.push(current)
      current = indent + indent
    }
    current += current.trim() === '' ? word : ` ${word}`
  }
  return [...lines, current]
}

const literal = (values: unknown[]): string => {
  const texts = values.map((value) =>
    value === true ? 'True' : value === false ? 'False' : JSON.stringify(value),
  )
  return `Literal[${texts.join(', ')}]`
}

/** None last, each once. */
function union(types: string[]): string {
  const all = [...new Set(types.flatMap((type) => type.split(/ \| (?![^[]*\])/)))]
  return [...all.filter((type) => type !== 'None'), ...all.filter((type) => type === 'None')].join(' | ')
}
