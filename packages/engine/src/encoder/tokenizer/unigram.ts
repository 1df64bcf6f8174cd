import type { PieceTrie } from './piece-trie.ts'

/** UTF-16 units of a word, and nodes of its lattice, for which memory is kept between calls; a longer word gets its own. */
const KEPT_LENGTH = 1024
const KEPT_NODES = 8192

/**
 * The most probable segmentation of a word into pieces (Kudo, 2018, "Subword Regularization"; Viterbi).
 *
 * It repeats the arithmetic of the JavaScript library to the last bit: a node's score is the best of
 * `previous + own` over the nodes that end where it begins, in the order in which they begin, and the first of
 * equals wins. The usual shortcut, keeping one best score per position, rounds at another place and picks
 * another of two equally probable segmentations, as in a run of one letter.
 */
export class Unigram {
  private readonly trie: PieceTrie
  private readonly scores: Float64Array
  private readonly unknownId: number
  private readonly unknownScore: number
  private readonly lattice = newLattice(KEPT_NODES)
  private readonly first = new Int32Array(KEPT_LENGTH + 1)
  private readonly last = new Int32Array(KEPT_LENGTH + 1)

  /**
   * @param scores log probability of each piece
   * @param unknownId the piece that stands for characters without one
   */
  constructor(trie: PieceTrie, scores: Float64Array, unknownId: number) {
    let least = scores[0] ?? 0
    for (let id = 1; id < scores.length; id++) least = Math.min(least, scores[id]!)
    this.trie = trie
    this.unknownId = unknownId
    // SentencePiece's penalty: an unknown character costs more than any piece.
    this.unknownScore = least - 10
    this.scores = scores.slice()
    this.scores[unknownId] = this.unknownScore
  }

  /**
   * Appends the ids of `word` to `ids`. Neighbouring unknown characters become one id, also when the first of
   * them was appended before, at or after `ids[from]`.
   *
   * Time is linear in the word's length: a position starts at most as many nodes as the longest piece has
   * characters, and so many end at it.
   */
  append(word: string, ids: number[], from: number): void {
    const { trie, scores, unknownId, unknownScore } = this
    const end = word.length
    // The nodes that end at a position are a list, first to last in the order in which they begin.
    const first = end <= KEPT_LENGTH ? this.first.fill(-1, 0, end + 1) : new Int32Array(end + 1).fill(-1)
    const last = end <= KEPT_LENGTH ? this.last.fill(-1, 0, end + 1) : new Int32Array(end + 1).fill(-1)
    let lattice = this.lattice
    let count = 0

    for (let begin = 0; begin < end; ) {
      const size = characterSize(word, begin)
      let node = trie.root
      let hasOwnPiece = false
      let at = begin
      for (;;) {
        // One more piece from `begin`, or, when there are no more, the unknown character if nothing covers it.
        let id = -1
        while (at < end) {
          node = trie.child(node, word.charCodeAt(at))
          if (node < 0) break
          at++
          id = trie.pieceAt(node)
          if (id >= 0) break
        }
        const isPiece = id >= 0
        if (!isPiece && hasOwnPiece) break
        const stop = isPiece ? at : begin + size
        const own = isPiece ? scores[id]! : unknownScore
        if (stop === begin + size) hasOwnPiece = true

        let bestScore = own
        let bestNode = -1
        for (let left = first[begin]!; left >= 0; left = lattice.next[left]!) {
          const score = lattice.score[left]! + own
          if (bestNode < 0 || score > bestScore) {
            bestScore = score
            bestNode = left
          }
        }

        if (count === lattice.score.length) lattice = grow(lattice)
        lattice.score[count] = bestScore
        lattice.previous[count] = bestNode
        lattice.id[count] = isPiece ? id : unknownId
        lattice.next[count] = -1
        if (last[stop]! < 0) first[stop] = count
        else lattice.next[last[stop]!] = count
        last[stop] = count
        count++
        if (!isPiece) break
      }
      begin += size
    }

    let best = first[end]!
    for (let node = best; node >= 0; node = lattice.next[node]!) {
      if (lattice.score[node]! > lattice.score[best]!) best = node
    }
    const start = ids.length
    for (let node = best; node >= 0; node = lattice.previous[node]!) ids.push(lattice.id[node]!)
    reverse(ids, start)
    fuse(ids, Math.max(from, start - 1), unknownId)
  }
}

interface Lattice {
  /** Log probability of the best path up to and with the node. */
  readonly score: Float64Array
  /** The node before on that path; -1 for none. */
  readonly previous: Int32Array
  readonly id: Int32Array
  /** The next node that ends at the same position; -1 for none. */
  readonly next: Int32Array
}

function newLattice(capacity: number): Lattice {
  return {
    score: new Float64Array(capacity),
    previous: new Int32Array(capacity),
    id: new Int32Array(capacity),
    next: new Int32Array(capacity),
  }
}

function grow(lattice: Lattice): Lattice {
  const larger = newLattice(lattice.score.length * 2)
  larger.score.set(lattice.score)
  larger.previous.set(lattice.previous)
  larger.id.set(lattice.id)
  larger.next.set(lattice.next)
  return larger
}

/** Code units of the character at `index`: 2 for a surrogate pair, else 1, also for a lone surrogate. */
function characterSize(text: string, index: number): number {
  const isPair =
    (text.charCodeAt(index) & 0xfc00) === 0xd800 &&
    index + 1 < text.length &&
    (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
  return isPair ? 2 : 1
}

function reverse(ids: number[], start: number): void {
  for (let i = start, j = ids.length - 1; i < j; i++, j--) {
    const id = ids[i]!
    ids[i] = ids[j]!
    ids[j] = id
  }
}

/** Removes every `unknownId` that follows another one, from index `start` on. */
function fuse(ids: number[], start: number, unknownId: number): void {
  let kept = start
  for (let i = start; i < ids.length; i++) {
    if (i > start && ids[i] === unknownId && ids[i - 1] === unknownId) continue
    ids[kept++] = ids[i]!
  }
  ids.length = kept
}
