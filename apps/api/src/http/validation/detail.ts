import type { ValidationEntry } from '@memory/shared/catalogue/errors'
import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import type { z } from 'zod'
import { Echo, redacted } from './echo.ts'
import { faultOf } from './issue-faults.ts'
import { place, property, unionBranches, valueAt } from './schema-path.ts'

type Issue = z.core.$ZodIssue
type Schema = z.core.$ZodType
type Loc = (string | number)[]

/** The part of a request, the first element of a loc. */
export type Where = 'path' | 'query' | 'header' | 'body'

export interface DetailOptions {
  /** Names of the operation's secret fields; see `Echo`. */
  redact?: Iterable<string>
  /** Whether an entry of type `missing` has the input null instead of the parent object: on auth, user and key operations. */
  missingInputNull?: boolean
}

/** The most entries of an answer: a request can be wrong in a million places. */
export const entriesMax = 100
/** Longer names in a loc are cut to this length. */
const locChars = 200

/** One fault of one value; an issue of zod may contain several. */
interface Finding {
  readonly fault: Fault
  readonly loc: Loc
  readonly input: unknown
}

/**
 * The entries of a 422 answer for zod's issues about `raw`, in FastAPI's form and wording; only the first one per loc. Inputs are
 * taken from `raw`, because those of an issue may have been parsed already.
 * @param schema without it, zod's own integers and floats can't be told apart, nor the branches of a union named
 */
export function toDetail(
  issues: readonly Issue[],
  raw: unknown,
  where: Where,
  options: DetailOptions & { schema?: Schema } = {},
): ValidationEntry[] {
  const redact = [...(options.redact ?? [])]
  const echo = new Echo(redact)
  const entries = new Map<string, ValidationEntry>()
  for (const { fault, loc, input } of findings(issues, raw, options.schema, [where])) {
    const key = JSON.stringify(loc)
    if (entries.has(key)) continue
    const missing = fault === faults.missing
    // FastAPI echoes the parent of a missing field only in bodies; where there are secrets, no parent is echoed at all.
    const noInput = missing && (options.missingInputNull || redact.length > 0 || where !== 'body')
    // An unknown field may be a secret under a mistyped name.
    const mayBeSecret = fault.type === faults.extraForbidden.type && redact.length > 0
    entries.set(key, {
      type: fault.type,
      loc: loc.map((segment) => (typeof segment === 'string' ? segment.slice(0, locChars) : segment)),
      msg: fault.msg,
      ...(mayBeSecret
        ? { input: redacted }
        : noInput
          ? { input: null }
          : echo.of(input, missing ? loc.slice(0, -1) : loc)),
      ...(fault.ctx !== undefined && { ctx: fault.ctx }),
    })
    if (entries.size === entriesMax) break
  }
  return [...entries.values()]
}

function* findings(
  issues: readonly Issue[],
  raw: unknown,
  schema: Schema | undefined,
  prefix: Loc,
): Generator<Finding> {
  for (const issue of issues) {
    const input = valueAt(raw, issue.path)
    const found = place(schema, issue.path)
    const loc = [...prefix, ...found.loc]
    if (input === undefined && absenceCodes.has(issue.code)) {
      yield { fault: faults.missing, loc, input: valueAt(raw, issue.path.slice(0, -1)) }
    } else if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        yield { fault: faults.extraForbidden, loc: [...loc, key], input: property(input, key) }
      }
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      yield* branchFindings(issue.errors, input, found.schema, loc)
    } else {
      yield { fault: faultOf(issue, input, found.schema), loc, input }
    }
  }
}

/** The issues that zod raises for an absent value; others come from further rules. */
const absenceCodes: ReadonlySet<Issue['code']> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** pydantic reports every branch of a union, with the branch's name in the loc. */
function* branchFindings(
  branches: readonly (readonly Issue[])[],
  input: unknown,
  schema: Schema | undefined,
  loc: Loc,
): Generator<Finding> {
  const known = unionBranches(schema)
  for (const [index, issues] of branches.entries()) {
    const branch = known?.[index]
    if (branch?.name === 'null') continue
    yield* findings(issues, input, branch?.schema, branch === undefined ? loc : [...loc, branch.name])
  }
}
