import { sortedIds } from '../sorted-ids.ts'

export const { newId: newConflictId, isId: isConflictId, cursors } = sortedIds('cfl')
