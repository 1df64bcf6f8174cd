import { selectorHash } from '@memory/shared/receipts/receipt'

/** By what the bodies of `forget` and of deleting many patterns choose. */
const choosing = 'query category threshold filter subject guard pattern_ids external_ids'.split(' ')

/**
 * What a receipt says that patterns were chosen by, of a body as it was sent. Null is the same as nothing there, but of
 * `subject`, where it chooses what is of nobody.
 */
export const selectorOf = (sent: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) => choosing.includes(name) && (value !== null || name === 'subject'),
    ),
  )

/**
 * Whether something is what chose the patterns of a receipt, or the body that did. Other selectors than those of such
 * bodies, and older ones of deletions, which hold all that was sent but `dry_run`, are compared as they are.
 * @param hash of the receipt's selector
 */
export const isSelectorOf = (hash: string, given: object): boolean =>
  [given, selectorOf(given)].some((selector) => selectorHash(selector) === hash)
