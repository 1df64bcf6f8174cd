import { randomBytes } from 'node:crypto'
import { type Place, SealError, Secrets } from '@memory/shared/platform/secrets'
import { describe, expect, it } from 'vitest'

const [first, second] = [randomBytes(32), randomBytes(32)]
const secrets = new Secrets([first])
const plain = new TextEncoder().encode('a secret')
const place: Place = { purpose: 'totp-seed', id: 'a' }

describe('T5 a sealed value', () => {
  it('opens in its place, with the key version, a nonce and a tag before the ciphertext', () => {
    const sealed = secrets.seal(plain, place)
    expect(Buffer.from(secrets.open(sealed, place))).toEqual(Buffer.from(plain))
    expect(sealed).toHaveLength(4 + 12 + 16 + plain.length)
    expect(Buffer.from(sealed.subarray(0, 4)).toString('hex')).toBe(secrets.version)
    expect(Buffer.from(sealed).includes('secret')).toBe(false)
    expect(secrets.open(secrets.seal(new Uint8Array(), place), place)).toHaveLength(0)
  })

  it('has a nonce of its own each time', () => {
    const nonces = Array.from({ length: 1_000 }, () =>
      Buffer.from(secrets.seal(plain, place).subarray(4, 16)).toString('hex'),
    )
    expect(new Set(nonces).size).toBe(nonces.length)
  })

  it.each<Place>([
    { purpose: 'totp-seed', id: 'b' },
    { purpose: 'signing-key', id: 'a' },
    { purpose: 'totp-seed', id: '' },
  ])('does not open at $purpose of $id', (other) => {
    expect(() => secrets.open(secrets.seal(plain, place), other)).toThrow(SealError)
  })

  it('does not open when any of its bits was changed, or bytes are missing or too many', () => {
    const sealed = secrets.seal(plain, place)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed)
      changed[at] = (changed[at] as number) ^ (1 << (at % 8))
      expect(() => secrets.open(changed, place), `byte ${at}`).toThrow(SealError)
      expect(() => secrets.open(sealed.subarray(0, at), place), `${at} bytes`).toThrow(SealError)
    }
    expect(() => secrets.open(Buffer.concat([sealed, Buffer.of(0)]), place)).toThrow(SealError)
  })

  it('opens under each key that is known, and is sealed under the first', () => {
    const [old, changing, changed] = [secrets, new Secrets([second, first]), new Secrets([second])]
    const [before, after] = [old.seal(plain, place), changing.seal(plain, place)]
    expect(Buffer.from(changing.open(before, place))).toEqual(Buffer.from(plain))
    expect(Buffer.from(changed.open(after, place))).toEqual(Buffer.from(plain))
    expect(() => changed.open(before, place)).toThrow(SealError)
    expect(() => old.open(after, place)).toThrow(SealError)
    expect([old.hasOldKeys, changing.hasOldKeys]).toEqual([false, true])
  })

  it('needs a key of 32 bytes', () => {
    for (const keys of [[], [randomBytes(16)], [first, randomBytes(31)]]) {
      expect(() => new Secrets(keys)).toThrow(SealError)
    }
  })
})

describe('a key that is derived from the master key', () => {
  it('is the same in each process that has it, and another one for each purpose and each master key', () => {
    const derived = Buffer.from(secrets.derive('a'))
    expect(derived).toHaveLength(32)
    expect(Buffer.from(new Secrets([first, second]).derive('a'))).toEqual(derived)
    for (const other of [secrets.derive('b'), secrets.derive(''), new Secrets([second, first]).derive('a')]) {
      expect(Buffer.from(other)).not.toEqual(derived)
    }
  })

  it('is there of each master key that is known, that of the first before the others', () => {
    const all = new Secrets([second, first]).deriveAll('a').map((each) => Buffer.from(each))
    expect(all).toEqual([second, first].map((key) => Buffer.from(new Secrets([key]).derive('a'))))
  })
})
