import { protectedCategories } from '@memory/engine/categories/categories'
import { validityFault } from '@memory/memory/patterns/address'
import { BatchStoreTexts } from '@memory/memory/schema'
import { BatchStoreVectors, sourceDimFault } from '@memory/memory/vectors/vector-schema'
import { faults } from '@memory/shared/catalogue/fields-faults'
import {
  InvalidLine,
  type LineRules,
  type ParsedLine,
  parseLine as parseBy,
} from '@memory/shared/transfer/import-line'
import type { Line } from '@memory/shared/transfer/lines'

/** The most faults of one line that are shown. */
const faultsTold = 3

/** The service's own rules: those of the operations that store the items. */
const rules: LineRules = {
  fields: {
    text: Object.keys(BatchStoreTexts.body.shape.items.out.element.shape),
    vector: Object.keys(BatchStoreVectors.body.shape.patterns.out.element.shape),
  },
  protectedCategories,
  check(kind, given) {
    if (kind === 'text') {
      const item = parse(BatchStoreTexts.body, { items: [given] }).items[0]
      return item === undefined
        ? {}
        : { expiresAt: item.expires_at ?? null, validityFault: validityFault(item) }
    }
    const item = parse(BatchStoreVectors.body, { patterns: [given] }).patterns[0]
    if (item === undefined) return {}
    const fault = sourceDimFault(item)
    if (fault !== undefined) throw new InvalidLine(fault)
    return { expiresAt: item.expires_at ?? null, validityFault: validityFault(item) }
  },
}

/** Reads one line of an import by the service's own rules. */
export const parseLine = (line: Line, now: number): ParsedLine => parseBy(line, now, rules)

function parse<Output>(
  body: { safeParse(value: unknown): { data?: Output | undefined; error?: { issues: Issue[] } | undefined } },
  value: unknown,
): Output {
  const { data, error } = body.safeParse(value)
  if (error === undefined) return data as Output
  const told = error.issues.slice(0, faultsTold).map((issue) => {
    // The line is the first item of the list.
    const [, , ...field] = issue.path
    const missing = issue.code === 'invalid_type'
    const reason = missing ? faults.missing.msg : issue.message.replace(/^Value error, /, '')
    return `${field.map(String).join('.')}: ${reason}`
  })
  throw new InvalidLine(told.join('; '))
}

interface Issue {
  code?: string | undefined
  path: PropertyKey[]
  message: string
}
