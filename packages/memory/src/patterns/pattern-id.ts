import { sortedIds } from '../sorted-ids.ts'

export const { newId: newPatternId, isId: isPatternId } = sortedIds('pat')
