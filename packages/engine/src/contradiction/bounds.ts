import type { Counted } from './exchanged-numbers.ts'

/** What stands before the least number or the first day, in several languages, as words are compared: without accents. */
const lows = `at least|no less than|not less than|no fewer than|minimum|a minimum of|min|from|starting|starting from|starting on|since|as of
mindestens|wenigstens|zumindest|minimal|ab|seit|au moins|a partir|des|depuis|al menos|por lo menos|como minimo|minimo|desde
almeno|come minimo|a partire da|a partire dal|dal|pelo menos|no minimo|minstens|ten minste|tenminste|vanaf|sinds`
/** What stands before the greatest number or the last day. */
const highs = `at most|no more than|not more than|maximum|a maximum of|max|up to|until|till|hochstens|maximal|bis|nicht mehr als
au plus|tout au plus|au maximum|jusqu|como maximo|maximo|a lo sumo|hasta|al massimo|massimo|fino a|fino al|no maximo|ate|hoogstens|maximaal|tot`
/** What may stand between these and the number. */
const articles = 'the|of|a|au|aux|zu|zum|dem|den|der|de|du|le|la|les|l|el|las|los|il|o|os|as|\\p{Sc}'

const endingIn = (phrases: string) =>
  new RegExp(` (?:${phrases.replaceAll('\n', '|')})(?: (?:${articles}))*$`, 'u')
const [low, high] = [endingIn(lows), endingIn(highs)]
/** Most words that are looked at before a number. */
const wordsBefore = 6

/** Whether the same number is the least in one text and the greatest in the other, or a day the first and the last. */
export function haveOtherBounds(one: Counted, other: Counted): boolean {
  const [bounds, otherBounds] = [boundsOf(one), boundsOf(other)]
  return [...bounds].some(([value, bound]) => {
    const there = otherBounds.get(value)
    return there !== undefined && there !== bound
  })
}

/** On which side each number bounds something, of those that do; one that does so on both sides tells nothing. */
function boundsOf({ tokens, quantities }: Counted): Map<string, 'low' | 'high' | 'both'> {
  const bounds = new Map<string, 'low' | 'high' | 'both'>()
  for (const { value, from, isWeak } of quantities) {
    if (isWeak && value === '1') continue
    const before = ` ${tokens
      .slice(Math.max(0, from - wordsBefore), from)
      .map(({ key }) => key)
      .join(' ')}`
    const bound = high.test(before) ? 'high' : low.test(before) ? 'low' : undefined
    if (bound === undefined) continue
    const earlier = bounds.get(value)
    bounds.set(value, earlier === undefined || earlier === bound ? bound : 'both')
  }
  for (const [value, bound] of bounds) if (bound === 'both') bounds.delete(value)
  return bounds
}
