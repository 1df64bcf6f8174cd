import { ApiError, sharperDetails, ValidationError } from '@memory/shared/catalogue/errors'
import { characterFault } from '@memory/shared/catalogue/fields-json'
import type { Caller } from '@memory/shared/catalogue/operation'
import { etagOf } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'
import type { Address, Versioning } from '../store.ts'
import { isPatternId } from './pattern-id.ts'

/** How a path or body names a pattern by its caller's own name. */
const ownPrefix = 'ext:'

/** Which pattern is meant: by its id, or by its caller's own name. */
export type PatternRef = { id: string } | { externalId: string }

/** @returns undefined for a text that is neither an id nor `ext:` and a name that a pattern may have */
export function readPatternRef(text: string): PatternRef | undefined {
  if (characterFault(text) !== undefined) return undefined
  if (text.startsWith(ownPrefix)) return { externalId: text.slice(ownPrefix.length) }
  return isPatternId(text) ? { id: text } : undefined
}

/** What items of all stores have of an address. */
interface AddressedItem {
  external_id?: string | null | undefined
  subject?: string | null | undefined
  protected?: boolean | null | undefined
  valid_from?: Date | null | undefined
  valid_to?: Date | null | undefined
  supersedes?: string | null | undefined
}

/** @returns undefined where nothing is said: most items have no address */
export function addressOf(item: AddressedItem): Address | undefined {
  const { external_id: externalId, valid_from: validFrom, valid_to: validTo } = item
  const { subject, protected: asked, supersedes } = item
  const address = { externalId, subject, protected: asked, validFrom, validTo, supersedes }
  return Object.values(address).every((value) => value == null) ? undefined : address
}

type ValidItem = Pick<AddressedItem, 'valid_from' | 'valid_to'> & { occurred_at?: Date | null | undefined }

/** What the fields of an item alone can't tell: whether it is valid at some time. */
export function validityFault({ occurred_at, valid_from, valid_to }: ValidItem): string | undefined {
  const from = valid_from ?? occurred_at
  if (valid_to == null || from == null || valid_to > from) return undefined
  return valid_from == null
    ? 'must be later than occurred_at, since which it is valid without a valid_from'
    : 'must be later than valid_from'
}

/** @throws ValidationError */
export function requireValidity(item: ValidItem, loc: (string | number)[]): void {
  const fault = validityFault(item)
  if (fault !== undefined) throw ValidationError.rule([...loc, 'valid_to'], fault)
}

/** The refusal of a `valid_from`. @param loc of the item that has it */
export const tooEarly = (loc: (string | number)[]): ValidationError =>
  ValidationError.rule([...loc, 'valid_from'], 'must not be earlier than when what it supersedes began')

/**
 * Refuses a change of another version than its caller has seen.
 * @param ifMatch the `If-Match` of the request: `*`, or ETags @throws ApiError version_mismatch
 */
export function requireMatch(ifMatch: string | undefined, { revision }: { revision: number }): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(revision))) throw new ApiError('version_mismatch')
}

/** How changes by a caller are kept. */
export function versioningOf(
  { versionsKept }: Pick<MemoryContext, 'versionsKept'>,
  { actor }: Pick<Caller, 'actor'>,
): Versioning {
  return { by: actor.kind === 'key' ? actor.keyId : actor.userId, kept: versionsKept }
}

/**
 * Awaits what may give a pattern a name. A caller who is bound to an end user sees no name of others, which is taken all the
 * same. @throws ApiError external_id_exists, and pattern_limit_reached for an end user who has as many as allowed
 */
export async function orNameTaken<T>(naming: Promise<T>): Promise<T> {
  try {
    return await naming
  } catch (error) {
    const { constraint, code } = error as { constraint?: string; code?: string }
    if (constraint === 'patterns_by_external_id') throw new ApiError('external_id_exists', { cause: error })
    // Raised by `limit_subjects`.
    if (code === 'MS001') {
      const detail = sharperDetails.subject_full
      throw new ApiError('pattern_limit_reached', { detail, retryAfterS: 3_600, cause: error })
    }
    throw error
  }
}
