import { readFileSync } from 'node:fs'
import { javascriptKernels } from '@memory/engine/kernels/javascript'
import { type Kernels, nativeKernels } from '@memory/engine/kernels/kernels'
import type { Hits, Selection } from '@memory/engine/kernels/matrix'
import { describe, expect, it } from 'vitest'

/** JSON has no other way to say what is not finite. */
type Value = number | 'NaN' | 'Infinity' | '-Infinity'

/** A call of a kernel, with its arguments by name, and what it gives or why it refuses. */
interface Case {
  name: string
  call: string
  expected?: Record<string, Value[] | string>
  refused?: string
  [argument: string]: unknown
}

interface Table {
  tolerance: number
  cases: Case[]
}

type Result = Record<string, ArrayLike<number> | string>

const files = [
  'bytes',
  'degenerate',
  'einsum',
  'hopfield',
  'hyperdimensional',
  'nearest-many',
  'norms',
  'slerp',
  'softmax',
]

const implementations: [string, Kernels][] = [['javascript', javascriptKernels]]
if (nativeKernels !== null) implementations.push(['native', nativeKernels])

const numbers = (value: unknown) => (value as Value[]).map(Number)
const float = (value: unknown) => Float32Array.from(numbers(value))
const wide = (value: unknown) => Float64Array.from(numbers(value))
const joined = (rows: unknown) => (rows as Value[][]).flat()
const inverseNorms = (rows: unknown) =>
  Float64Array.from(rows as Value[][], (row) => 1 / Math.hypot(...numbers(row)))

/** What all searches take beside the rows and what they look for. The dimensions are the query's where none are given. */
function searchOf({ query, labels, flags, k, minScore, requiredFlags, allowed, ...given }: Case) {
  const selection: Selection = {
    requiredFlags: requiredFlags as number,
    ...(allowed !== null && { allowed: Uint8Array.from(allowed as number[]) }),
  }
  return {
    rows: {
      dimensions: (given.dimensions ?? (query as Value[] | undefined)?.length) as number,
      count: (labels as number[]).length,
      labels: Int32Array.from(labels as number[]),
      flags: Uint8Array.from(flags as number[]),
    },
    rest: [k as number, minScore as number, selection] as const,
  }
}

const together = (all: Hits[]): Result => ({
  labels: all.flatMap(({ labels }) => [...labels]),
  scores: all.flatMap(({ scores }) => [...scores]),
  counts: all.map(({ labels }) => labels.length),
})

/** What tolerances are shares of: the greatest magnitude of an array, so that small ones are compared as well. */
function greatest(expected: number[]): number {
  const most = expected.filter(Number.isFinite).reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return most === 0 ? 1 : most
}

function call(by: Kernels, one: Case): Result {
  const [a, b] = [() => float(one.a), () => float(one.b)]
  switch (one.call) {
    case 'einsum': {
      const left = { shape: one.shapeA as number[], values: a() }
      const { shape, values } = by.einsum(one.spec as string, left, {
        shape: one.shapeB as number[],
        values: b(),
      })
      return { shape, values }
    }
    case 'bindCircular':
    case 'unbindCircular':
    case 'bindProduct':
      return { values: by[one.call](a(), b()) }
    case 'bundle':
      return { values: by.bundle(float(joined(one.rows)), one.dimensions as number, wide(one.weights)) }
    case 'rotate':
    case 'rotateBack':
      return { values: by[one.call](a()) }
    case 'project':
    case 'unproject':
      return { values: by[one.call](a(), one.dimensions as number) }
    case 'cosine':
      return { value: [by.cosine(a(), b())] }
    case 'slerp': {
      const { vector, angle, type } = by.slerp(a(), b(), Number(one.alpha))
      return { vector, angle: [angle], type }
    }
    case 'softmax':
      return { weights: by.softmax(wide(one.scores), Number(one.beta)) }
    case 'logSumExp':
      return { value: [by.logSumExp(wide(one.scores), Number(one.beta))] }
    case 'hopfieldStep': {
      const rows = float(joined(one.rows))
      const norms = one.inverseNorms === undefined ? inverseNorms(one.rows) : wide(one.inverseNorms)
      const step = by.hopfieldStep(rows, norms, float(one.state), Number(one.beta))
      return { ...step, energy: [step.energy] }
    }
    case 'norms':
      return { values: by.norms(float(one.values), one.dimensions as number) }
    case 'quantizeBytes':
      return { ...by.quantizeBytes(float(one.values), one.dimensions as number) }
    case 'nearestBytes': {
      const { rows, rest } = searchOf(one)
      const values = Int8Array.from(numbers(joined(one.rows)))
      const matrix = { ...rows, values, inverseNorms: inverseNorms(one.rows) }
      return { ...by.nearestBytes(matrix, float(one.query), ...rest) }
    }
    case 'nearest': {
      const { rows, rest } = searchOf(one)
      const matrix = { ...rows, values: float(joined(one.rows)), inverseNorms: inverseNorms(one.rows) }
      return { ...by.nearest(matrix, float(one.query), ...rest) }
    }
    case 'nearestMany': {
      const { rows, rest } = searchOf(one)
      const values = float(joined(one.rows))
      const dimensions = ((one.rows as Value[][])[0] ?? (one.queries as Value[][])[0] ?? []).length
      const matrix = { ...rows, dimensions, values, inverseNorms: inverseNorms(one.rows) }
      return together(by.nearestMany(matrix, float(joined(one.queries)), ...rest))
    }
    default:
      throw new Error(`No kernel ${one.call}`)
  }
}

describe.each(files)('the table %s', (file) => {
  const url = new URL(`../vectors/${file}.json`, import.meta.url)
  const { tolerance, cases }: Table = JSON.parse(readFileSync(url, 'utf8'))

  describe.each(implementations)('by the %s kernels', (_, kernels) => {
    it.each(cases.filter(({ refused }) => refused === undefined))('$call: $name', (one) => {
      const found = call(kernels, one)
      for (const [field, expected] of Object.entries(one.expected ?? {})) {
        const given = found[field]
        if (typeof expected === 'string' || typeof given === 'string') {
          expect(given, field).toBe(expected)
          continue
        }
        expect(given, field).toHaveLength(expected.length)
        const values = numbers(expected)
        const most = tolerance * greatest(values)
        for (const [at, value] of values.entries()) {
          const off = Math.abs((given?.[at] as number) - value)
          if (!Number.isFinite(value)) expect(given?.[at], `${field} at ${at}`).toBe(value)
          else expect(off, `${field} at ${at}: ${given?.[at]}`).toBeLessThanOrEqual(most)
        }
      }
    })

    it.each(cases.filter(({ refused }) => refused !== undefined))('$call refuses $name', (one) => {
      const kind = kernels.name === 'native' ? { code: 'InvalidArg' } : { name: 'RangeError' }
      expect(() => call(kernels, one)).toThrow(
        expect.objectContaining({ ...kind, message: one.refused as string }),
      )
    })
  })
})
