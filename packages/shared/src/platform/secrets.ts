import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const keyBytes = 32
const versionBytes = 4
const nonceBytes = 12
const tagBytes = 16

/** What a value is for, and its row. A value sealed for one place can't be opened as if it were from another. */
export interface Place {
  purpose:
    | 'master-key-proof'
    | 'signing-key'
    | 'receipt-key'
    | 'totp-seed'
    | 'mail'
    | 'webhook-secret'
    | 'cursor'
  /** The row that holds it; of a cursor, the list that it is of. */
  id: string
}

/** Thrown for a sealed value that can't be opened, because of another key, another place or a change of its bytes. */
export class SealError extends Error {
  override name = 'SealError'
}

/**
 * Seals secrets before they are stored: AES-256-GCM, bound to the row and purpose they are for.
 * A sealed value is the version of its master key (4 bytes), nonce (12), tag (16) and ciphertext.
 */
export class Secrets {
  /** Names the key that seals: the first 4 bytes of its hash, in hex. */
  readonly version: string
  readonly #keys = new Map<string, Buffer>()

  /** @param keys of 32 bytes; the first seals, all open. @throws SealError for a key of another length, or none */
  constructor(keys: readonly Uint8Array[]) {
    for (const key of keys) {
      if (key.length !== keyBytes) throw new SealError(`A master key has ${keyBytes} bytes.`)
      this.#keys.set(versionOf(key), Buffer.from(key))
    }
    const [version] = this.#keys.keys()
    if (version === undefined) throw new SealError('There is no master key.')
    this.version = version
  }

  seal(plain: Uint8Array, place: Place): Uint8Array {
    return this.#sealWith(randomBytes(nonceBytes), plain, place)
  }

  /**
   * Seals a value so that it is the same text each time, in every process with this master key, and so tells that two values are
   * equal. The nonce follows from value and place: no two values share one, but for one chance in 2^48 or so.
   */
  sealAlike(plain: Uint8Array, place: Place): Uint8Array {
    const told = createHmac('sha256', this.derive('nonces'))
      .update(boundTo(place))
      .update('\0')
      .update(plain)
      .digest()
    return this.#sealWith(told.subarray(0, nonceBytes), plain, place)
  }

  #sealWith(nonce: Uint8Array, plain: Uint8Array, place: Place): Uint8Array {
    const cipher = createCipheriv(algorithm, this.#key(this.version), nonce).setAAD(boundTo(place))
    const sealed = [cipher.update(plain), cipher.final()]
    return Buffer.concat([Buffer.from(this.version, 'hex'), nonce, cipher.getAuthTag(), ...sealed])
  }

  /** @throws SealError */
  open(sealed: Uint8Array, place: Place): Uint8Array {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.length < versionBytes + nonceBytes + tagBytes)
      throw new SealError('A sealed value is too short.')
    const nonceAt = versionBytes
    const tagAt = nonceAt + nonceBytes
    const dataAt = tagAt + tagBytes
    const key = this.#key(versionOfSealed(bytes))
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(nonceAt, tagAt), {
      authTagLength: tagBytes,
    })
      .setAAD(boundTo(place))
      .setAuthTag(bytes.subarray(tagAt, dataAt))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(dataAt)), decipher.final()])
    } catch (cause) {
      throw new SealError(`A sealed ${place.purpose} does not open.`, { cause })
    }
  }

  /** Derives a key for one purpose: the same one in every process with this master key. */
  derive(purpose: string): Uint8Array {
    return deriveFrom(this.#key(this.version), purpose)
  }

  /**
   * Derives a key for one purpose from each master key that is known. The first is the one of `derive`, to sign with; while the
   * master key is being changed, what was signed with any of the others is still valid.
   */
  deriveAll(purpose: string): Uint8Array[] {
    return [...this.#keys.values()].map((key) => deriveFrom(key, purpose))
  }

  /** Whether the master key is being changed: then there are also keys that only open. */
  get hasOldKeys(): boolean {
    return this.#keys.size > 1
  }

  /** Whether there is a key of this version, so that values sealed under it can be opened. */
  knows(version: string): boolean {
    return this.#keys.has(version)
  }

  #key(version: string): Buffer {
    const key = this.#keys.get(version)
    if (key === undefined)
      throw new SealError('A value was sealed under a master key that this process lacks.')
    return key
  }
}

const deriveFrom = (key: Uint8Array, purpose: string) =>
  createHmac('sha256', key).update(`derived for ${purpose}`).digest()

const versionOf = (key: Uint8Array) =>
  createHash('sha256')
    .update('memory master key')
    .update(key)
    .digest()
    .subarray(0, versionBytes)
    .toString('hex')

const versionOfSealed = (sealed: Uint8Array) => Buffer.from(sealed.subarray(0, versionBytes)).toString('hex')

const boundTo = ({ purpose, id }: Place) => Buffer.from(`${purpose}:${id}`)
