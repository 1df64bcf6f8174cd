import { exchangedWord } from '@memory/engine/belief/exchanged-word'
import { readComparable } from '@memory/engine/contradiction/contradiction'
import { expect, it } from 'vitest'

/** The words that are exchanged, of the statement and of the text. */
function between(statement: string, text: string, context = statement): string[] | undefined {
  const [stated, said, whole] = [statement, text, context].map(readComparable) as [
    ReturnType<typeof readComparable>,
    ReturnType<typeof readComparable>,
    ReturnType<typeof readComparable>,
  ]
  const place = exchangedWord(stated, said, whole)
  const words = ({ reading }: typeof stated, range: readonly [number, number]) =>
    reading.tokens
      .slice(...range)
      .map(({ raw }) => raw)
      .join(' ')
  return place && [words(stated, place.one), words(said, place.other)]
}

it.each([
  ['Vikram plays the piano.', 'Vikram plays the cello.', 'piano', 'cello'],
  ['She keeps sheep on the roof.', 'She keeps bees on the roof.', 'sheep', 'bees'],
  ['Er repariert Uhren im Keller.', 'Er repariert Uhren auf dem Speicher.', 'im Keller', 'auf dem Speicher'],
  ['Il range le vin à la cave.', 'Il range le vin au grenier.', 'à la cave', 'au grenier'],
  ['他在地下室修钟表。', '他在阁楼里修钟表。', '地 下 室', '阁 楼 里'],
])('finds the one word that is another: %s %s', (statement, text, word, other) => {
  expect(between(statement, text)).toEqual([word, other])
})

it('finds it in a part that leaves out what its context says', () => {
  const whole = 'Vikram plays the cello and lives in Goa.'
  expect(between('lives in Goa', 'Vikram lives in Pune.', whole)).toEqual(['Goa', 'Pune'])
  expect(between('lives in Goa', 'Bianca lives in Pune.', whole)).toBeUndefined()
})

it.each([
  ['the same', 'Ada lives in Lisbon.', 'ada lives in lisbon'],
  ['other small words', 'The keys are in the hall.', 'The keys are on a hall.'],
  ['another form', 'The cats sleep on the roof.', 'The cat sleeps on the roof.'],
  ['a word more', 'Ada lives in sunny Lisbon.', 'Ada lives in Lisbon.'],
  ['another order', 'In May Ada left.', 'Ada left in May.'],
  ['two words', 'Ada repairs bikes in the cellar.', 'Ada repairs clocks in the attic.'],
  ['a compound', 'Er springt in den Swimmingpool.', 'Er springt in den Pool.'],
  ['a number', 'The rent is 900 euros.', 'The rent is 950 euros.'],
  ['nothing', '', ''],
])('finds none in %s', (_name, statement, text) => {
  expect(between(statement, text)).toBeUndefined()
})
