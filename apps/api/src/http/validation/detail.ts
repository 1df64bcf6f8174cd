import type { ValidationEntry } from '@memory/shared/catalogue/errors'
import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import type { z } from 'zod'
import { Echo, redacted } from './echo.ts'
import { faultOf } from './issue-faults.ts'
import { place, property, unionBranches, valueAt } from './schema-path.ts'

type Issue = z.core.$ZodIssue
type Schema = z.core.$ZodType
type Loc = (string | number)[]

/** The part of a request, as it begins a loc. */
export type Where = 'path' | 'query' | 'header' | 'body'

export interface DetailOptions {
  /** Names of the operation's secret fields; see `Echo`. */
  redact?: Iterable<string>
  /** `missing` has input null, not the object that lacks the field: on auth, user and key operations. */
  missingInputNull?: boolean
}

/** A request can be wrong in a million places; the first hundred are enough to mend it. */
export const entriesMax = 100
const locChars = 200

/** An issue taken apart: one fault of one value. */
interface Finding {
  readonly fault: Fault
  readonly loc: Loc
  readonly input: unknown
}

/**
 * The entries of a 422 answer for zod's issues about `raw`, shaped and worded like FastAPI's; the first for
 * each loc. Inputs are taken from `raw`, because an issue's own may have been parsed already. Without
 * `schema`, integers and floats of zod's own can't be told apart, nor the branches of a union named.
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
    // FastAPI echoes the parent of a missing field in bodies only; where there are secrets, no parent is repeated.
    const noInput = missing && (options.missingInputNull || redact.length > 0 || where !== 'body')
    // Under a name that the operation does not have, a secret may stand as well.
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

/** The issues that an absent value raises; any other is a rule's opinion about it. */
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
