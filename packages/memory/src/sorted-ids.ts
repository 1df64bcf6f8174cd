import { randomFillSync } from 'node:crypto'
import { cursorsOf } from '@memory/shared/catalogue/pages'
import { monotonicFactory } from 'ulid'

const drawn = new Uint32Array(1_024)
let left = 0

/** Random number in [0, 1). An id takes one for each random character, so they are drawn from the system in batches. */
function random(): number {
  if (left === 0) {
    randomFillSync(drawn)
    left = drawn.length
  }
  return (drawn[--left] as number) / 2 ** 32
}

/** Makes ids of one kind, a prefix and a lower-case ULID, which sort by creation time; and the cursors of lists in that order. */
export function sortedIds(prefix: string) {
  const nextUlid = monotonicFactory(random)
  const form = new RegExp(`^${prefix}_[0-9a-z]{26}$`)
  const isId = (text: string): boolean => form.test(text)
  return {
    newId: (now: Date): string => `${prefix}_${nextUlid(now.getTime()).toLowerCase()}`,
    isId,
    /** For the page after the item with an id. */
    cursors: cursorsOf<string>(
      (id) => `after:${id}`,
      (text) => {
        const id = text.slice('after:'.length)
        return isId(id) ? id : undefined
      },
    ),
  }
}
