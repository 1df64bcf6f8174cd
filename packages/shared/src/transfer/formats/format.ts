import type { SourceFile } from '../source-file.ts'
import type { Leftovers } from './leftovers.ts'

/** What is stored of a part of a file of another product: a line of an import, as the API takes it. */
export interface Memory {
  text: string
  metadata?: Record<string, unknown> | undefined
  external_id?: string | undefined
  subject?: string | undefined
  occurred_at?: string | undefined
  expires_at?: string | undefined
  valid_from?: string | undefined
  valid_to?: string | undefined
  protected?: boolean | undefined
  /** The part of the file that it comes from, for messages. */
  place: string
  /** Why it can't be stored, where that is known already. */
  fault?: string
}

/** A file of another product. */
interface Source {
  file: SourceFile
  /** For tables: which column holds what. */
  mapping: Mapping
  /** The end user of everything in the file that names none. */
  subject: string | undefined
}

/** Which columns of a table hold the fields of a memory, such as `{ text: 'content' }`. */
export interface Mapping {
  /** By field; `metadata.NAME` for a field of the metadata. */
  columns: Readonly<Record<string, string>>
  /** The member of the root whose list holds the items, where the root is no list. */
  items: string | undefined
}

/** A format of another product, read into lines of an import. */
export interface Format {
  /** Completes the sentence "it looks like …". */
  title: string
  /** What of it is taken. */
  takes: string
  /** The source, with its version, from which this reader of the format was written. */
  seen: string
  /** Whether a file may be one, by how it begins. */
  isLike(start: string): boolean
  /** A stricter `isLike`, to recognize files whose format nobody named; by default `isLike`. */
  isSurely?(start: string): boolean
  /** The memories in the order of the file, the same each time. What is not taken is added to `left`. @throws UnexpectedShape */
  convert(source: Source, left: Leftovers): AsyncIterable<Memory>
}

/** A file that is not what its format says. */
export class UnexpectedShape extends Error {}

/** A file that is damaged, whatever it is a file of. */
export class DamagedFile extends UnexpectedShape {}
