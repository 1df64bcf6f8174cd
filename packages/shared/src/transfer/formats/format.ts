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
  /** Which part of the file it is, for messages. */
  place: string
  /** Why it can't be stored, where that is known already. */
  fault?: string
}

/** A file of another product. */
export interface Source {
  file: SourceFile
  /** Where the mapping of columns says what is what. */
  mapping: Mapping
  /** Whose all of it is that is nobody's by itself. */
  subject: string | undefined
}

/** Which column or field of a table holds which field of a memory: `text` by `content`. */
export interface Mapping {
  /** By field; `metadata.NAME` for a field of the metadata. */
  columns: Readonly<Record<string, string>>
  /** The member of the root whose list holds the items, where the root is no list. */
  items: string | undefined
}

/** A format of another product, read into lines of an import. */
export interface Format {
  /** What it is a file of: "it looks like …". */
  title: string
  /** What of it is taken. */
  takes: string
  /** What was looked at to learn it. */
  seen: string
  /** Whether a file may be one, by how it begins. */
  isLike(start: string): boolean
  /** Whether it surely looks like one, where much may be one. */
  isSurely?(start: string): boolean
  /** Its memories in the order of the file, always the same; what is not taken is named. @throws UnexpectedShape */
  convert(source: Source, left: Leftovers): AsyncIterable<Memory>
}

/** A file that is not what its format says. */
export class UnexpectedShape extends Error {}

/** A file that is damaged, whatever it is a file of. */
export class DamagedFile extends UnexpectedShape {}
