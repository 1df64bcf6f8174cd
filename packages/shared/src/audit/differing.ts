import { isDeepStrictEqual } from 'node:util'

/** Of what is to be set, what differs from what is there: nothing else is a change that the audit log tells of. */
export const differing = <Change extends object>(change: Change, there: object): Partial<Change> => {
  const before = new Map<string, unknown>(Object.entries(there))
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => !isDeepStrictEqual(value, before.get(name))),
  ) as Partial<Change>
}
