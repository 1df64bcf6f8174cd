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

const englishHour = String.raw`\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight`
const spanishHour = 'una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|\\d{1,2}'
const italianHour =
  'una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|mezzogiorno|mezzanotte|\\d{1,2}'
const portugueseHour =
  'uma|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|meio dia|meia noite|\\d{1,2}'

/** How one says so many minutes before an hour, or after it; the word `before` is the one that says before. */
const clocks: readonly RegExp[] = [
  String.raw`(?<minutes>quarter|five|ten|twenty five|twenty|\d{1,2})(?: minutes?)? (?:(?<before>to|before|till|of)|past|after) (?<hour>${englishHour})`,
  String.raw`(?<hour>[^ ]+ h|[^ ]+ heures?|midi|minuit) (?:(?<before>moins) |et )?(?:le )?(?<minutes>quart|cinq|dix|vingt cinq|vingt|\d{1,2})`,
  String.raw`(?<hour>${spanishHour}) (?:(?<before>menos)|y) (?<minutes>cuarto|cinco|diez|veinte|veinticinco|\d{1,2})`,
  String.raw`(?<hour>${italianHour}) (?:(?<before>meno)|e) (?:un )?(?<minutes>quarto|cinque|dieci|venti|venticinque|\d{1,2})`,
  String.raw`(?<hour>${portugueseHour}) (?:(?<before>menos)|e) (?:um )?(?<minutes>quarto|cinco|dez|vinte|\d{1,2})`,
  String.raw`(?<minutes>kwart|vijf|tien|\d{1,2}) (?:(?<before>voor)|over) (?<hour>[^ ]+)`,
].map((pattern) => new RegExp(`(?<= )${pattern}(?= )`, 'gu'))

/** Whether one tells the time before an hour, and the other as long after it: a quarter to three, and past three. */
export function haveOtherClocks({ tokens }: Counted, { tokens: others }: Counted): boolean {
  const [words, otherWords] = [tokens, others].map((all) => ` ${all.map(({ key }) => key).join(' ')} `)
  return clocks.some((clock) => {
    const [times, otherTimes] = [timesOf(words ?? '', clock), timesOf(otherWords ?? '', clock)]
    return [...times].some(([time, isBefore]) => otherTimes.has(time) && otherTimes.get(time) !== isBefore)
  })
}

function timesOf(words: string, clock: RegExp): Map<string, boolean> {
  const times = new Map<string, boolean>()
  for (const { groups } of words.matchAll(clock))
    times.set(`${groups?.hour} ${groups?.minutes}`, groups?.before !== undefined)
  return times
}
