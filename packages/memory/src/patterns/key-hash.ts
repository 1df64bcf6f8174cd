import { hash } from 'node:crypto'
import { vectorBytes } from '@memory/shared/platform/database/vector-array'

/**
 * What the database keeps of a key to find equal ones, as hex (`app.pattern_key_hash`): the first 16 bytes of the
 * SHA-256 of its binary form.
 */
export const hashKey = (key: Float32Array): string => hash('sha256', vectorBytes(key), 'hex').slice(0, 32)
