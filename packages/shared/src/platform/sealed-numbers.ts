import { SealError, type Secrets } from './secrets.ts'

/** Lists whose rows the database numbers for all tenants together. */
export type NumberedList = 'deliveries' | 'notifications' | 'receipts' | 'receipts-of-all'

/** A list of rows that are numbered, and whose it is: of an organization, a webhook … */
export interface Numbered {
  list: NumberedList
  of: string
}

const numberBytes = 8

/**
 * A row's number as a text for clients, who give it back to say where they are. The database counts such rows for all tenants
 * together: whoever could read the numbers of their own would see from the gaps how much others write. So the number is sealed, and
 * a client can't make up one either, which would find those of its own rows by trying. As long for every number, and the same each
 * time, so that who is told of an event twice knows it again by its id.
 */
export function sealNumber(secrets: Secrets, numbered: Numbered, n: number): string {
  const plain = Buffer.alloc(numberBytes)
  plain.writeBigUInt64BE(BigInt(n))
  return Buffer.from(secrets.sealAlike(plain, placeOf(numbered))).toString('base64url')
}

/** The number that `sealNumber` made a text of; undefined for any other text, also one of another list. */
export function openNumber(secrets: Secrets, numbered: Numbered, text: string): number | undefined {
  const sealed = Buffer.from(text, 'base64url')
  // The decoder passes over what is not of its alphabet.
  if (sealed.toString('base64url') !== text) return undefined
  try {
    return Number(Buffer.from(secrets.open(sealed, placeOf(numbered))).readBigUInt64BE())
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

const placeOf = ({ list, of }: Numbered) => ({ purpose: 'cursor', id: `${list} ${of}` }) as const
