import { SubjectOrder } from '@memory/memory/lexical/subject-order'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const idxs = fc.nat({ max: 150 })
const change = fc.oneof(
  fc.record({ idx: idxs, subject: fc.constantFrom(null, 'ada', 'ben', 'cleo') }),
  fc.record({ idx: idxs }),
)

/** Who stands before and after an idx in a list that has it. */
const beside = (members: readonly number[], idx: number) => {
  const at = members.indexOf(idx)
  return at === -1 ? [undefined, undefined] : [members[at - 1], members[at + 1]]
}

describe('SubjectOrder', () => {
  it('has the texts of each subject in ascending order, whatever comes and goes', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const order = new SubjectOrder()
        const subjects = new Map<number, string | null>()
        for (const { idx, ...put } of changes) {
          if ('subject' in put) {
            order.put(idx, put.subject)
            subjects.set(idx, put.subject)
          } else {
            order.delete(idx)
            subjects.delete(idx)
          }
        }
        for (let idx = 0; idx <= 151; idx++) {
          const subject = subjects.get(idx)
          const members = [...subjects.keys()].filter((other) => subjects.get(other) === subject)
          const expected =
            subject === undefined
              ? [undefined, undefined]
              : beside(
                  members.toSorted((a, b) => a - b),
                  idx,
                )
          expect(order.has(idx)).toBe(subject !== undefined)
          expect([order.before(idx), order.after(idx)]).toEqual(expected)
        }
      }),
    )
  })

  it('knows nothing of what it never had', () => {
    const order = new SubjectOrder()
    order.delete(3)
    for (const idx of [0, 3, -1, 2 ** 30]) {
      expect([order.has(idx), order.before(idx), order.after(idx)]).toEqual([false, undefined, undefined])
    }
  })

  it('takes 12 bytes a text, and room for as many again', () => {
    const order = new SubjectOrder()
    for (let idx = 0; idx < 10_000; idx++) order.put(idx, null)
    expect(order.bytes).toBeGreaterThanOrEqual(12 * 10_000)
    expect(order.bytes).toBeLessThanOrEqual(2 * 12 * 10_000)
  })

  it('takes no memory for subjects that have no text any more', () => {
    const order = new SubjectOrder()
    order.put(0, 'ada')
    const { bytes } = order
    for (let i = 0; i < 1_000; i++) {
      order.put(1, `subject ${i}`)
      order.delete(1)
    }
    expect(order.bytes).toBe(bytes)
  })
})
