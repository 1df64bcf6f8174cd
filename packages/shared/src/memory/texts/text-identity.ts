import { createHash } from 'node:crypto'

/**
 * SHA-256 (hex) by which two texts count as the same: after Unicode NFC, with runs of white space folded to one space
 * and none at the ends.
 */
export function textHash(text: string): string {
  return createHash('sha256').update(text.normalize('NFC').replace(/\s+/gu, ' ').trim()).digest('hex')
}
