import { describe, expect, it } from 'vitest'
import { findViolations, type History, type Read, type StoredPattern } from './history.ts'

/** An interval between two events. */
const at = (start: number, end: number) => ({ start, end })

const pattern = (id: string): StoredPattern => ({ id, kind: 2, key: '1,0', group: 0 })
const everything = () => true
const store = (id: string, start: number, end: number, revision = 0) => ({
  during: at(start, end),
  pattern: pattern(id),
  revision,
})
const remove = (start: number, end: number) => ({ during: at(start, end), covers: everything })
const change = (revision: number, start: number, end: number, id?: string) => ({
  during: at(start, end),
  revision,
  target: id === undefined ? { key: '1,0' } : { id },
})
const read = (start: number, end: number, seen: Record<string, number>): Read => ({
  what: 'a read',
  during: at(start, end),
  covers: everything,
  seen: new Map(Object.entries(seen)),
})

const violations = (history: Partial<History>) =>
  findViolations({ stores: [], changes: [], removals: [], reads: [], ...history })

describe('a history of requests', () => {
  it('is right when reads see what was stored, changed and not removed', () => {
    expect(
      violations({
        stores: [store('a', 0, 1), store('b', 2, 3, 1)],
        changes: [change(2, 4, 5, 'a'), change(3, 6, 7)],
        removals: [remove(10, 11)],
        reads: [read(8, 9, { a: 2, b: 3 }), read(12, 13, {})],
      }),
    ).toEqual([])
  })

  it('allows either outcome while a store, a change or a removal overlaps the read', () => {
    const overlapping = { stores: [store('a', 0, 1)], changes: [change(1, 2, 5, 'a')] }
    for (const reads of [[read(3, 4, { a: 0 })], [read(3, 4, { a: 1 })]])
      expect(violations({ ...overlapping, reads })).toEqual([])
    for (const seen of [{ a: 0 }, {}] as Record<string, number>[]) {
      expect(violations({ stores: [store('a', 0, 3)], reads: [read(1, 2, seen)] })).toEqual([])
      expect(
        violations({ stores: [store('a', 0, 1)], removals: [remove(2, 5)], reads: [read(3, 4, seen)] }),
      ).toEqual([])
      // A store that overlaps a removal may come after it, or before.
      expect(
        violations({ stores: [store('a', 0, 2)], removals: [remove(1, 3)], reads: [read(4, 5, seen)] }),
      ).toEqual([])
    }
  })

  it.each<[string, Partial<History>]>([
    ['misses a stored pattern', { stores: [store('a', 0, 1)], reads: [read(2, 3, {})] }],
    [
      'misses a pattern that another read saw',
      { stores: [store('a', 0, 9)], reads: [read(1, 2, { a: 0 }), read(3, 4, {})] },
    ],
  ])('is wrong when a read %s', (_, history) => {
    expect(violations(history)).toEqual(['a read did not see a.'])
  })

  it.each<[string, Partial<History>]>([
    [
      'a removed pattern',
      { stores: [store('a', 0, 1)], removals: [remove(2, 3)], reads: [read(4, 5, { a: 0 })] },
    ],
    [
      'a pattern that another read no longer saw',
      {
        stores: [store('a', 0, 1)],
        removals: [remove(2, 9)],
        reads: [read(3, 4, {}), read(5, 6, { a: 0 })],
      },
    ],
    [
      'a pattern that was seen before its removal, though its store goes on',
      {
        stores: [store('a', 0, 9)],
        removals: [remove(3, 4)],
        reads: [read(1, 2, { a: 0 }), read(5, 6, { a: 0 })],
      },
    ],
  ])('is wrong when a read sees %s', (_, history) => {
    expect(violations(history)).toEqual(['a read saw a, which was gone.'])
  })

  it.each<[string, Partial<History>]>([
    [
      'changed by its id',
      {
        stores: [store('a', 0, 1)],
        changes: [change(1, 2, 3, 'a')],
        reads: [read(4, 5, { a: 0 })],
      },
    ],
    [
      'changed by its key, though no read shows it',
      { stores: [store('a', 0, 1)], changes: [change(1, 2, 3)], reads: [read(4, 5, { a: 0 })] },
    ],
    [
      'that another read saw changed',
      {
        stores: [store('a', 0, 1)],
        changes: [change(1, 2, 9)],
        reads: [read(3, 4, { a: 1 }), read(5, 6, { a: 0 })],
      },
    ],
  ])('is wrong when a read sees the old revision of a pattern %s', (_, history) => {
    expect(violations(history)).toEqual(['a read saw a in revision 0, which was outdated.'])
  })

  it('is wrong when the older of two patterns with a key was changed', () => {
    const history = { stores: [store('a', 0, 1), store('b', 2, 3, 1)], changes: [change(2, 4, 5)] }
    expect(violations({ ...history, reads: [read(6, 7, { a: 2, b: 1 })] })).toEqual([
      'a read saw b in revision 1, which was outdated.',
    ])
  })

  it('is wrong when a read sees what was stored or written later, or never', () => {
    expect(violations({ stores: [store('a', 2, 3)], reads: [read(0, 1, { a: 0 })] })).toContain(
      'a read saw a, which nobody had stored so.',
    )
    expect(violations({ reads: [read(0, 1, { a: 0 })] })).toEqual([
      'a read saw a, which nobody had stored so.',
    ])
    const changed = { stores: [store('a', 0, 1)], changes: [change(1, 4, 5, 'a')] }
    expect(violations({ ...changed, reads: [read(2, 3, { a: 1 })] })).toEqual([
      'a read saw a in revision 1, which nobody had written so.',
    ])
  })

  it('takes what a removal says it removed as seen, and held against it when something is missing', () => {
    const removal = remove(4, 5)
    const removed = (seen: Record<string, number>) => ({ ...read(4, 5, seen), during: removal.during })
    const stores = [store('a', 0, 1), store('b', 2, 3)]
    expect(violations({ stores, removals: [removal], reads: [removed({ a: 0, b: 0 })] })).toEqual([])
    expect(violations({ stores, removals: [removal], reads: [removed({ a: 0 })] })).toEqual([
      'a read did not see b.',
    ])
  })
})
