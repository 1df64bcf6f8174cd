import { z } from 'zod'

type Schema = z.core.$ZodType
type Segment = string | number

/** The place of an issue: its loc in FastAPI's form, and the schema that raised it, when the path leads to one. */
interface Place {
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
 * Follows an issue's path through the schema to the one that raised it, which zod's issues do not name. It is needed because, for
 * example, an integer and a float raise the same issue.
 */
export function place(schema: Schema | undefined, path: readonly PropertyKey[]): Place {
  const loc = path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  return { loc, schema: loc.reduce(child, schema === undefined ? undefined : unwrap(schema)) }
}

/** An own property of an object or list. Inherited ones do not count, since they were not in the request. */
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

/** The branches of a union, with the names that pydantic gives them in a loc. For pydantic `null` is no branch. */
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
      // A field of the catalogue: its type is in its registered metadata.
      return pythonNames[String(z.globalRegistry.get(schema)?.type)] ?? 'any'
    default:
      return def.type
  }
}

/** The format of one of zod's own schemas, built in (`z.int()`) or added as a check (`z.number().int()`). */
export function formatOf(schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined
  const def = definition(schema)
  const format = ('format' in def ? def.format : undefined) ?? schema._zod.bag.format
  return typeof format === 'string' ? format : undefined
}

/** Whether one of zod's own schemas accepts only integers. */
export const isInteger = (schema: Schema | undefined): boolean => formatOf(schema)?.includes('int') ?? false
