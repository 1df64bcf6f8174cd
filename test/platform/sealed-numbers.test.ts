import { randomBytes } from 'node:crypto'
import { type Numbered, openNumber, sealNumber } from '@memory/shared/platform/sealed-numbers'
import { Secrets } from '@memory/shared/platform/secrets'
import { describe, expect, it } from 'vitest'

const key = randomBytes(32)
const secrets = new Secrets([key])
const ofAda: Numbered = { list: 'receipts', of: 'ada' }

describe('a sealed number', () => {
  it.each([0, 1, 255, 256, 2 ** 32, Number.MAX_SAFE_INTEGER])('is %d again, and tells it to nobody', (n) => {
    const sealed = sealNumber(secrets, ofAda, n)
    expect(openNumber(secrets, ofAda, sealed)).toBe(n)
    expect(sealNumber(new Secrets([key]), ofAda, n)).toBe(sealed)
    expect(sealNumber(secrets, ofAda, n === 0 ? 1 : n - 1)).not.toContain(sealed.slice(-10))
    expect(sealNumber(secrets, { ...ofAda, of: 'ben' }, n)).not.toContain(sealed.slice(6, 20))
    expect(sealed).toHaveLength(sealNumber(secrets, ofAda, 7).length)
    expect(sealed).toMatch(/^[\w-]{1,100}$/)
  })

  it('is none in another list, of another tenant, and under another master key', () => {
    const sealed = sealNumber(secrets, ofAda, 7)
    expect(openNumber(secrets, { ...ofAda, of: 'ben' }, sealed)).toBeUndefined()
    expect(openNumber(secrets, { ...ofAda, list: 'deliveries' }, sealed)).toBeUndefined()
    expect(openNumber(new Secrets([randomBytes(32)]), ofAda, sealed)).toBeUndefined()
    // While the master key is changed, the old one opens yet.
    expect(openNumber(new Secrets([randomBytes(32), key]), ofAda, sealed)).toBe(7)
  })

  it('is not made up, nor written in another way', () => {
    const sealed = sealNumber(secrets, ofAda, 7)
    const plain = ['before:7', 'after:7'].map((text) => Buffer.from(text).toString('base64url'))
    const bytes = Buffer.from(sealed, 'base64url')
    const changed = Array.from(bytes, (_, i) => {
      const copy = Buffer.from(bytes)
      copy[i] = (copy[i] as number) ^ 1
      return copy.toString('base64url')
    })
    for (const text of [...plain, ...changed, '', '!', `${sealed}=`, ` ${sealed}`, sealed.slice(0, -4)]) {
      expect(openNumber(secrets, ofAda, text), text).toBeUndefined()
    }
  })
})
