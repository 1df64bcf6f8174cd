import { isSameStem, withoutProclitic } from './stems.ts'
import type { Token } from './tokens.ts'
import type { Lexicon } from './words.ts'

/** Words of two or three letters that are written or left out as the word after them wants. */
const loose = new Set(
  'a o à al ao aos do da dos das no na de di del della dello dei alla allo agli au aux du des dem den der die das le la les el los las il lo gli l d een het le se que e в во к ко с со у'.split(
    ' ',
  ),
)

/** Whether the same words stand in other roles: who owes whom, from where to where. */
export function haveOtherRoles(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  const isJoined = (tokens: readonly Token[]) =>
    tokens.some(({ key, isSetOff }) => isSetOff || (lexicon?.joins.has(key) ?? false))
  if (one.some(({ kind }) => kind === 'dense')) return areBlocksSwapped(one, other, isJoined)
  const pairs = pair(one, other)
  if (pairs === undefined) return false
  for (let i = 0; i < pairs.length; i++)
    for (let j = i + 1; j < pairs.length; j++)
      if (isOnlySwap(pairs, i, j)) return isContradicting(one, other, pairs, [i, j], isJoined, lexicon)
  return false
}

interface Pair {
  one: number
  other: number
}

/** Each token with its like in the other text; undefined when one has a word that the other has in no form. */
function pair(one: readonly Token[], other: readonly Token[]): Pair[] | undefined {
  const free = new Set(other.keys())
  const pairs: Pair[] = []
  const left: number[] = []
  const take = (i: number, isLike: (key: string, other: string) => boolean) => {
    for (const j of free) {
      if (!isLike((one[i] as Token).key, (other[j] as Token).key)) continue
      free.delete(j)
      pairs.push({ one: i, other: j })
      return true
    }
    return false
  }
  for (const i of one.keys()) if (!take(i, (a, b) => a === b)) left.push(i)
  for (const i of left) if (!take(i, isSameStem) && !loose.has((one[i] as Token).key)) return undefined
  if ([...free].some((j) => !loose.has((other[j] as Token).key))) return undefined
  // Words that come and go, or stand in both several times, say nothing of the order.
  const isTelling = ({ one: i }: Pair) => !loose.has((one[i] as Token).key)
  return pairs.filter(isTelling).sort((a, b) => a.one - b.one)
}

/** Whether the order is the same but for these two, which stand in each other's place. */
function isOnlySwap(pairs: readonly Pair[], i: number, j: number): boolean {
  const order = pairs.map(({ other }) => other)
  ;[order[i], order[j]] = [order[j] as number, order[i] as number]
  return order.every((at, k) => k === 0 || at > (order[k - 1] as number))
}

function isContradicting(
  one: readonly Token[],
  other: readonly Token[],
  pairs: readonly Pair[],
  [i, j]: readonly [number, number],
  isJoined: (tokens: readonly Token[]) => boolean,
  lexicon: Lexicon | undefined,
): boolean {
  const [first, second] = [pairs[i] as Pair, pairs[j] as Pair]
  const between = one.slice(first.one + 1, second.one)
  if (isJoined([...between, one[second.one] as Token])) return false
  const formsOf = ({ one: a, other: b }: Pair) => [(one[a] as Token).key, (other[b] as Token).key] as const
  const changed = [first, second].filter((each) => {
    const [a, b] = formsOf(each)
    return a !== b && !isJoinedForm(a, b)
  }).length
  if (changed === 2 || (changed === 1 && j > i + 1)) return true
  // Short words that stay while the two change places tell their roles: from and to, or an ending that is set apart.
  const isStaying = (token: Token | undefined, there: Token | undefined) =>
    token !== undefined && token.key.length <= 3 && token.key === there?.key
  const [before, after] = [one[second.one - 1], one[second.one + 1]]
  const isLed =
    second.one > first.one + 1 &&
    isStaying(one[first.one - 1], other[second.other - 1]) &&
    isStaying(before, other[first.other - 1])
  const isEnded = lexicon?.code === 'tr' && after?.isSetOff === false && isStaying(after, other[first.other + 1])
  if (isLed || isEnded) return true
  // Where ends of words tell the roles, the same forms in another order say the same; so do neighbours.
  return j > i + 1 && !(lexicon?.inflects ?? false)
}

/** "And" that is written together with the word: of Arabic and Hebrew. */
const isJoinedForm = (a: string, b: string): boolean =>
  [a, b].some((long) => /^[وו]/u.test(long)) && withoutProclitic(a) === withoutProclitic(b)

/**
 * Whether two blocks of characters have changed places around something that stays. Where words are not set apart,
 * particles go with the words: blocks with nothing between them are the same in another order.
 */
function areBlocksSwapped(
  one: readonly Token[],
  other: readonly Token[],
  isJoined: (tokens: readonly Token[]) => boolean,
): boolean {
  if (one.length !== other.length) return false
  const [a, b] = [one.map(({ key }) => key), other.map(({ key }) => key)]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = a.length
  while (end > start && a[end - 1] === b[end - 1]) end--
  const length = end - start
  const isEqual = (from: number, to: number, size: number) =>
    a.slice(from, from + size).every((key, i) => key === b[to + i])
  for (let x = 1; x < length; x++) {
    for (let y = 1; x + y < length; y++) {
      const middle = length - x - y
      if (!isEqual(start, end - x, x) || !isEqual(end - y, start, y)) continue
      if (!isEqual(start + x, start + y, middle)) continue
      return !isJoined(one.slice(start + x, end - y + 1))
    }
  }
  return false
}
