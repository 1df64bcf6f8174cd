import { hash } from 'node:crypto'
import { foldText } from '@memory/engine/text-form'

/**
 * SHA-256 (hex) by which two texts count as the same: after Unicode NFC, with runs of white space folded to one space
 * and none at the ends. Nothing else makes texts the same: not that an encoder sees no difference (in characters that
 * it does not know, between ² and 2), nor that their vectors are equal.
 */
export const textHash = (text: string): string => hash('sha256', foldText(text), 'hex')

export const isSameText = (one: string, other: string): boolean => foldText(one) === foldText(other)
