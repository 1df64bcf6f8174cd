import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Filter, hasEmptyOperand, saysNothing } from '@memory/shared/catalogue/filter'

/**
 * Whoever meant one user, whose name was not known, would remove what all users have.
 * @param filter of what is to be removed
 * @throws ValidationError where it, or a condition of it, holds for everything
 */
export function requireSelective(filter: Filter): void {
  const refuse = (reason: string) => {
    throw ValidationError.rule(['body', 'filter'], reason)
  }
  if (saysNothing(filter)) refuse('an empty filter selects nothing; leave it out')
  if (hasEmptyOperand(filter)) {
    refuse('$contains and $startsWith of an empty string, and $nin of an empty list, hold for everything')
  }
}
