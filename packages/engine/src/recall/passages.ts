import { parameters } from '../parameters.ts'
import { sentenceSegmenter } from '../sentence-segmenter.ts'

const { passageCharacters, passageMin, wideCharacter } = parameters.recall

/** Part of a text: code points from `start` up to `end`. */
export interface Passage {
  start: number
  end: number
  text: string
}

/** A part of a text. */
interface Piece {
  /** In UTF-16 units. */
  start: number
  end: number
  /** See `sizeOf`. */
  size: number
}

/** Characters that say as much as several letters each. */
const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u
const allWide = new RegExp(wide, 'gu')

/**
 * Cuts a long text into passages of whole sentences, each of up to `passageCharacters`. A passage begins with the last sentence
 * of the one before, so that references to it are understood. A longer sentence is cut at white space, or without any between two
 * characters.
 * @returns in order; together they cover everything but white space. Empty for a text that is not long, or gives only one
 */
export function passagesOf(text: string): Passage[] {
  if (!isLong(text)) return []
  const passages = gather(piecesOf(text)).filter(({ start, end }) => /\S/u.test(text.slice(start, end)))
  return passages.length < 2 ? [] : countedInCodePoints(text, passages)
}

/** Whether a text is long enough to have passages. */
export const isLong = (text: string): boolean =>
  text.length * wideCharacter >= passageMin && sizeOf(text) >= passageMin

/** Length of a text in UTF-16 units, with each Han, Kana or Hangul character counted as `wideCharacter`. */
export const sizeOf = (text: string): number =>
  text.length + (wideCharacter - 1) * (text.match(allWide)?.length ?? 0)

/** The sentences of a text; those too long for a passage are cut into several pieces. */
function piecesOf(text: string): Piece[] {
  return Array.from(sentenceSegmenter.segment(text)).flatMap(({ segment, index }) => {
    const size = sizeOf(segment)
    if (size <= passageCharacters) return [{ start: index, end: index + segment.length, size }]
    return cut(segment).map((piece) => ({ ...piece, start: index + piece.start, end: index + piece.end }))
  })
}

/** Cuts a sentence that is too long for a passage: after the last white space in the second half of a piece, else anywhere. */
function cut(sentence: string): Piece[] {
  const pieces: Piece[] = []
  let piece: Piece = { start: 0, end: 0, size: 0 }
  let space: Piece | undefined
  for (const character of sentence) {
    const size = wide.test(character) ? wideCharacter : character.length
    if (piece.size + size > passageCharacters) {
      const full: Piece = space ?? piece
      pieces.push(full)
      piece = { start: full.end, end: piece.end, size: piece.size - full.size }
      space = undefined
    }
    piece = { ...piece, end: piece.end + character.length, size: piece.size + size }
    if (piece.size > passageCharacters / 2 && /\s/u.test(character)) space = piece
  }
  return [...pieces, piece]
}

/** Joins pieces to passages. */
function gather(pieces: readonly Piece[]): Piece[] {
  const passages: Piece[] = []
  let passage: Piece | undefined
  let last: Piece | undefined
  for (const piece of pieces) {
    if (passage === undefined || last === undefined) {
      passage = piece
    } else if (passage.size + piece.size <= passageCharacters) {
      passage = joined(passage, piece)
    } else {
      passages.push(passage)
      // The last sentence is repeated, unless it is the whole passage.
      const overlaps: boolean = passage.start < last.start && last.size + piece.size <= passageCharacters
      passage = overlaps ? joined(last, piece) : piece
    }
    last = piece
  }
  return passage === undefined ? passages : [...passages, grown(passage, pieces)]
}

/** Extends the last passage backwards as far as fits: a short passage is near to many queries by chance. */
function grown(passage: Piece, pieces: readonly Piece[]): Piece {
  let grown = passage
  for (const piece of pieces.toReversed()) {
    if (piece.end > passage.start) continue
    if (grown.size + piece.size > passageCharacters) break
    grown = joined(piece, grown)
  }
  return grown
}

const joined = (a: Piece, b: Piece): Piece => ({ start: a.start, end: b.end, size: a.size + b.size })

/** Adds the passages' texts, and converts positions from UTF-16 units to code points, which the API counts in. */
function countedInCodePoints(text: string, passages: readonly Piece[]): Passage[] {
  const counted = new Map<number, number>()
  let [unit, point] = [0, 0]
  for (const at of passages.flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b)) {
    for (; unit < at; point++) unit += (text.codePointAt(unit) as number) > 0xffff ? 2 : 1
    counted.set(at, point)
  }
  return passages.map(({ start, end }) => ({
    start: counted.get(start) as number,
    end: counted.get(end) as number,
    text: text.slice(start, end),
  }))
}
