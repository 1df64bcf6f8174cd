import { z } from 'zod'

type Schema = z.core.$ZodType
type Segment = string | number

/** Where an issue is: its loc as FastAPI writes it, and the schema that raised it, when the path leads to one. */
export interface Place {
  readonly loc: Segment[]
  readonly schema: Schema | undefined
}

const definition = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def

/** The schema within `optional`, `nullable`, `default`, `preprocess` and other wrappers. */
export function unwrap(schema: Schema): Schema {
  const def = definition(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return unwrap(def.innerType)
    case 'pipe':
      return unwrap(definition(def.in).type === 'transform' ? def.out : def.in)
    case 'lazy':
      return unwrap(def.getter())
    default:
      return schema
  }
}

/**
 * Follows an issue's path through schema and value. zod's issues don't name the schema that raised them, but
 * the mapping needs it: an integer and a float raise the same issue, and pydantic puts the tag of a
 * discriminated union into the loc.
 */
export function place(schema: Schema | undefined, value: unknown, path: readonly PropertyKey[]): Place {
  const loc: Segment[] = []
  let at = schema === undefined ? undefined : unwrap(schema)
  let here = value
  for (const key of path) {
    const segment = typeof key === 'symbol' ? String(key) : key
    const member = at === undefined ? undefined : taggedMember(at, here)
    if (member !== undefined) loc.push(member.tag)
    at = child(member?.schema ?? at, segment)
    here = property(here, segment)
    loc.push(segment)
  }
  return { loc, schema: at }
}

/** The own property of an object or list; what is inherited was not in the request. */
export function property(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}

/** The value at the end of a path. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => path.reduce(property, value)

function child(schema: Schema | undefined, key: Segment): Schema | undefined {
  const found = schema === undefined ? undefined : directChild(definition(schema), key)
  return found === undefined ? undefined : unwrap(found)
}

function directChild(def: ReturnType<typeof definition>, key: Segment): Schema | undefined {
  switch (def.type) {
    case 'object':
      return Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
    case 'array':
      return def.element
    case 'record':
      return def.valueType
    case 'tuple':
      return def.items[Number(key)] ?? def.rest ?? undefined
    default:
      return undefined
  }
}

/** The member of a discriminated union that the value's tag names. */
function taggedMember(schema: Schema, value: unknown): { tag: string; schema: Schema } | undefined {
  const def = definition(schema)
  if (def.type !== 'union' || !('discriminator' in def)) return undefined
  const discriminator = String(def.discriminator)
  const tag = property(value, discriminator)
  const member = def.options.find((option) =>
    option._zod.propValues?.[discriminator]?.has(tag as z.core.util.Primitive),
  )
  return member === undefined ? undefined : { tag: String(tag), schema: unwrap(member) }
}

/** The names by which pydantic calls the branches of a union in a loc. `null` is no branch to it. */
export function unionBranches(schema: Schema | undefined): { name: string; schema: Schema }[] | undefined {
  if (schema === undefined) return undefined
  const def = definition(schema)
  if (def.type !== 'union') return undefined
  return def.options.map((option) => ({ name: branchName(unwrap(option)), schema: unwrap(option) }))
}

const pythonNames: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
}

function branchName(schema: Schema): string {
  const def = definition(schema)
  switch (def.type) {
    case 'string':
      return 'str'
    case 'number':
      return isInteger(schema) ? 'int' : 'float'
    case 'boolean':
      return 'bool'
    case 'array':
      return `list[${branchName(unwrap(def.element))}]`
    case 'record':
      return `dict[str,${branchName(unwrap(def.valueType))}]`
    case 'unknown':
      // A field of the catalogue, which says in its description what it takes.
      return pythonNames[String(z.globalRegistry.get(schema)?.type)] ?? 'any'
    default:
      return def.type
  }
}

/** The format of a schema of zod's own, whether it is one (`z.int()`) or was given one (`z.number().int()`). */
export function formatOf(schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined
  const def = definition(schema)
  const format = ('format' in def ? def.format : undefined) ?? schema._zod.bag.format
  return typeof format === 'string' ? format : undefined
}

/** Whether a schema of zod's own takes integers only. */
export const isInteger = (schema: Schema | undefined): boolean => formatOf(schema)?.includes('int') ?? false
