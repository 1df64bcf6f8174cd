import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Filter, hasEmptyOperand, saysNothing } from '@memory/shared/catalogue/filter'

/**
 * Refuses a filter for removal that matches everything. Such a filter is probably a mistake, such as the name of a user that
 * turned out to be empty, and would remove the patterns of all users.
 * @throws ValidationError if the filter, or one of its conditions, holds for everything
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
