import type { Sequence } from '@memory/engine/recall/contiguity'

const none = -1

/**
 * Store order of the texts of each subject; those without a subject form one more sequence. What several subjects store at the
 * same time so gives a sequence for each. A linked list over idx for each subject, 12 bytes a text.
 */
export class SubjectOrder implements Sequence {
  /** By idx: the number of the text's subject + 1; 0 if there is no text. */
  #subjectOf = new Uint32Array(0)
  /** By idx: the idx of the previous and the next text of the subject, or `none`. */
  #before = new Int32Array(0)
  #after = new Int32Array(0)
  /** By number: a subject's name (null: texts without a subject), and the idx of its last text, or `none`. */
  readonly #subjects: { name: string | null; last: number }[] = []
  readonly #numbers = new Map<string | null, number>()
  /** Numbers that can be reused: their subjects have no text any more, and their names are not kept. */
  readonly #free: number[] = []

  get bytes(): number {
    return 3 * this.#subjectOf.byteLength + subjectBytes * this.#numbers.size
  }

  has(idx: number): boolean {
    return (this.#subjectOf[idx] ?? 0) !== 0
  }

  before(idx: number): number | undefined {
    return this.has(idx) ? orUndefined(this.#before[idx] as number) : undefined
  }

  after(idx: number): number | undefined {
    return this.has(idx) ? orUndefined(this.#after[idx] as number) : undefined
  }

  /** Whether two texts have the same subject, or both have none. */
  isOfOne(idx: number, other: number): boolean {
    return this.has(idx) && this.#subjectOf[idx] === this.#subjectOf[other]
  }

  /** Adds a text, or moves a stored one to another subject. @param subject null: none */
  put(idx: number, subject: string | null): void {
    if (idx >= this.#subjectOf.length) this.#grow(idx + 1)
    const number = this.#numberOf(subject)
    if (this.#subjectOf[idx] === number + 1) return
    this.delete(idx)
    const own = this.#subjects[number] as { last: number }
    let before = own.last
    let after = none
    // Nearly always the text is its subject's last. If not (it had another subject, or has become valid just now), its
    // predecessor is searched for both backwards from the last text and downwards from idx, whichever gets there first.
    for (let near = idx - 1; before > idx; near--) {
      if (this.#subjectOf[near] === number + 1) [before, after] = [near, this.#after[near] as number]
      else [before, after] = [this.#before[before] as number, before]
    }
    this.#subjectOf[idx] = number + 1
    this.#before[idx] = before
    this.#after[idx] = after
    if (before !== none) this.#after[before] = idx
    if (after === none) own.last = idx
    else this.#before[after] = idx
  }

  delete(idx: number): void {
    if (!this.has(idx)) return
    const number = (this.#subjectOf[idx] as number) - 1
    const own = this.#subjects[number] as { name: string | null; last: number }
    const [before, after] = [this.#before[idx] as number, this.#after[idx] as number]
    this.#subjectOf[idx] = 0
    if (before !== none) this.#after[before] = after
    if (after === none) own.last = before
    else this.#before[after] = before
    if (own.last !== none) return
    this.#numbers.delete(own.name)
    own.name = null
    this.#free.push(number)
  }

  #numberOf(name: string | null): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const number = this.#free.pop() ?? this.#subjects.length
    this.#subjects[number] = { name, last: none }
    this.#numbers.set(name, number)
    return number
  }

  #grow(least: number): void {
    const capacity = Math.max(least, 2 * this.#subjectOf.length, 64)
    const grown = <List extends Uint32Array | Int32Array>(list: List, to: List): List => {
      to.set(list)
      return to
    }
    this.#subjectOf = grown(this.#subjectOf, new Uint32Array(capacity))
    this.#before = grown(this.#before, new Int32Array(capacity))
    this.#after = grown(this.#after, new Int32Array(capacity))
  }
}

/** About the bytes that a subject takes beside its texts. */
const subjectBytes = 200

const orUndefined = (idx: number): number | undefined => (idx === none ? undefined : idx)
