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
 * Follows an issue's path through the schema. zod's issues don't name the schema that raised them, but the mapping needs
 * it: an integer and a float raise the same issue.
 */
export function place(schema: Schema | undefined, path: readonly PropertyKey[]): Place {
  const loc = path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  return { loc, schema: loc.reduce(child, schema === undefined ? undefined : unwrap(schema)) }
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
