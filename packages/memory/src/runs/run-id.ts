import { sortedIds } from '../sorted-ids.ts'

export const { newId: newRunId, encodeCursor, decodeCursor } = sortedIds('run')
