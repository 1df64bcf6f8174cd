import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** By language: one is more than another, the same the other way round, and the same from the other side. */
const comparisons: readonly (readonly [said: string, turned: string, equal: string])[] = [
  ['My sister is older than me.', 'I am older than my sister.', 'I am younger than my sister.'],
  ['Anna runs faster than Tom.', 'Tom runs faster than Anna.', 'Tom runs slower than Anna.'],
  [
    'The van is heavier than this car.',
    'This car is heavier than the van.',
    'This car is lighter than the van.',
  ],
  ['Mein Bruder ist größer als ich.', 'Ich bin größer als mein Bruder.', 'Ich bin kleiner als mein Bruder.'],
  [
    'Der Hund ist größer als die Katze.',
    'Die Katze ist größer als der Hund.',
    'Die Katze ist kleiner als der Hund.',
  ],
  [
    'Mon frère est plus grand que moi.',
    'Je suis plus grand que mon frère.',
    'Je suis plus petit que mon frère.',
  ],
  ['Mi hermana es mayor que yo.', 'Yo soy mayor que mi hermana.', 'Soy menor que mi hermana.'],
  ['Mio fratello è più alto di me.', 'Io sono più alto di mio fratello.', 'Sono più basso di mio fratello.'],
  [
    'O meu irmão é mais velho do que eu.',
    'Eu sou mais velho do que o meu irmão.',
    'Eu sou mais novo do que o meu irmão.',
  ],
  ['Mijn broer is groter dan ik.', 'Ik ben groter dan mijn broer.', 'Ik ben kleiner dan mijn broer.'],
  ['Min bror är längre än jag.', 'Jag är längre än min bror.', 'Jag är kortare än min bror.'],
  ['Jest starsza ode mnie.', 'Jestem starsza od niej.', 'Jestem młodsza od niej.'],
  ['Мой брат выше меня.', 'Я выше своего брата.', 'Я ниже своего брата.'],
  ['أخي أطول مني.', 'أنا أطول من أخي.', 'أنا أقصر من أخي.'],
  ['Kardeşim benden büyük.', 'Ben kardeşimden büyüğüm.', 'Ben kardeşimden küçüğüm.'],
  ['मेरा भाई मुझसे बड़ा है।', 'मैं अपने भाई से बड़ा हूँ।', 'मैं अपने भाई से छोटा हूँ।'],
  ['형이 나보다 키가 크다.', '내가 형보다 키가 크다.', '내가 형보다 키가 작다.'],
  ['姐姐比我大。', '我比姐姐大。', '我比姐姐小。'],
  ['兄は私より背が高い。', '私は兄より背が高い。', '私は兄より背が低い。'],
]

describe('comparisons', () => {
  it.each(comparisons)('of %j tell %j from %j', (said, turned, equal) => {
    for (const [one, other] of [
      [said, turned],
      [turned, said],
    ] as const)
      expect(reasonOf(one, other), `${one} ${other}`).toBe('direction')
    expect(reasonOf(said, equal)).toBeUndefined()
    expect(reasonOf(equal, said)).toBeUndefined()
    expect(reasonOf(turned, equal)).toBe('opposite')
    expect(reasonOf(equal, turned)).toBe('opposite')
  })

  it.each([
    ['He is as tall as his father.', 'His father is as tall as he is.'],
    ['東京の方が大阪より大きい。', '大阪は東京より小さい。'],
    ['This book is better than that one.', 'That book is worse than this one.'],
    ['O carro é mais caro do que a moto.', 'A moto é mais barata do que o carro.'],
    ['Anna runs faster than Tom.', 'Tom is slower than Anna.'],
  ])('say the same in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})
