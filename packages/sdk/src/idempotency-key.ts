import { idempotencyKeyMax } from './generated/facts.ts'
import { requireWhole } from './sendable.ts'

/** 128 random bits in hex. Not `randomUUID`, which browsers have on https alone. */
export function newIdempotencyKey(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)))
}

/**
 * The key of a part of a batch, always the same of the same key. Of one that leaves no room for the part its SHA-256 is
 * taken, as the client for Python does.
 * @param part from 1
 */
export async function partKey(key: string, part: number): Promise<string> {
  const suffix = `-${part}`
  // The service counts code points.
  if ([...key].length + suffix.length <= idempotencyKeyMax) return key + suffix
  requireWhole(key, 'idempotencyKey')
  // Browsers have it on https alone.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle === undefined) {
    throw new TypeError(
      `idempotencyKey must leave room for "${suffix}", of ${idempotencyKeyMax} characters in all, where a page has no SHA-256`,
    )
  }
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(key)))) + suffix
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
