import { sortedIds } from '../sorted-ids.ts'

export const { newId: newRunId, cursors } = sortedIds('run')
