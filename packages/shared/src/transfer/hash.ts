import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256 of a text, in JavaScript: browsers have a function of their own only for pages that came over https. */
export function hashOf(text: string, encoding: 'hex' | 'base64url'): string {
  const hash = sha256(new TextEncoder().encode(text))
  if (encoding === 'hex') return bytesToHex(hash)
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
