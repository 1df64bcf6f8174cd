import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('words that exclude each other in the same place', () => {
  it.each([
    ['The keys are under the mat', 'The keys are behind the mat'],
    ['The bakery is next to the station', 'The bakery is opposite the station'],
    ['The cat sleeps on the bed', 'The cat sleeps under the bed'],
    ['Das Auto steht vor dem Haus', 'Das Auto steht hinter dem Haus'],
    ['Die Bäckerei ist neben dem Bahnhof', 'Die Bäckerei ist gegenüber vom Bahnhof'],
    ['La boulangerie est à côté de la gare', 'La boulangerie est en face de la gare'],
    ['El gato duerme sobre la cama', 'El gato duerme debajo de la cama'],
    ['Il gatto dorme sul letto', 'Il gatto dorme sotto il letto'],
    ['O gato dorme em cima da cama', 'O gato dorme debaixo da cama'],
    ['De kat slaapt op het bed', 'De kat slaapt onder het bed'],
    ['Kot śpi na łóżku', 'Kot śpi pod łóżkiem'],
    ['Кот спит на кровати', 'Кот спит под кроватью'],
    ['Kedi yatağın üstünde uyuyor', 'Kedi yatağın altında uyuyor'],
    ['猫睡在床上', '猫睡在床下'],
    ['Katten sover på sängen', 'Katten sover under sängen'],
    ['Neem de pil voor het eten', 'Neem de pil na het eten'],
    ['Liga-me depois das seis', 'Liga-me antes das seis'],
    ['약은 식전에 먹는다', '약은 식후에 먹는다'],
    ['여섯 시 이후에 전화해', '여섯 시 이전에 전화해'],
    ['六時以降に電話してください', '六時前に電話してください'],
    ['Mia is the oldest of the siblings', 'Mia is the youngest of the siblings'],
    ['It was the best hotel of the trip', 'It was the worst hotel of the trip'],
    ["Rosa is Ivan's boss", "Rosa is Ivan's assistant"],
    ['Tess is my student', 'Tess is my teacher'],
    ['Der Drucker ist kaputt', 'Der Drucker ist repariert'],
    ['De les is vanochtend', 'De les is vanavond'],
    ['A találkozó kedden lesz', 'A találkozó csütörtökön lesz'],
    ['Wszyscy uczniowie zdali egzamin', 'Niektórzy uczniowie zdali egzamin'],
    ['Wszystkie okna są otwarte', 'Niektóre okna są otwarte'],
    ['All of the invoices are paid', 'Some of the invoices are paid'],
    ['Nobody except Max knows the code', 'Everybody except Max knows the code'],
    ['Todos los vecinos votaron a favor', 'Pocos vecinos votaron a favor'],
    ['Todas as janelas estão limpas', 'Algumas janelas estão limpas'],
    ['所有学生都通过了考试', '有些学生通过了考试'],
    ['The backup runs daily', 'The backup runs weekly'],
    [
      'Die Lieferung der neuen Küche wurde vom Händler bestätigt',
      'Die Lieferung der neuen Küche wurde vom Händler storniert',
    ],
    ['Le fournisseur a confirmé la livraison', 'Le fournisseur a annulé la livraison'],
    ['De leverancier heeft de bestelling bevestigd', 'De leverancier heeft de bestelling geannuleerd'],
    ['Bak jest pełny', 'Bak jest pusty'],
    ['الخزان ممتلئ', 'الخزان فارغ'],
    ['タンクは満タンだ', 'タンクは空だ'],
    ['टंकी भरी है', 'टंकी खाली है'],
    ['The position is vacant', 'The position is filled'],
    ['He lacks experience with Go', 'He has experience with Go'],
  ])('%j is not %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('opposite')
    expect(reasonOf(other, one)).toBe('opposite')
  })

  it.each([
    ['unit', 'Add 2 teaspoons of salt to the dough', 'Add 2 tablespoons of salt to the dough'],
    ['unit', 'Add 3 cups of flour', 'Add 3 spoons of flour'],
    ['unit', 'The pool is 25 metres long', 'The pool is 25 yards long'],
    ['unit', 'Der Tank fasst 60 Liter', 'Der Tank fasst 60 Gallonen'],
    ['negation', 'There is sugar in this sauce', 'This sauce is sugar-free'],
    ['negation', 'In der Soße ist Zucker', 'Die Soße ist zuckerfrei'],
    ['direction', 'Lock the door first and then set the alarm', 'Set the alarm first and then lock the door'],
  ])('by %s: %j is not %j', (reason, one, other) => {
    expect(reasonOf(one, other)).toBe(reason)
    expect(reasonOf(other, one)).toBe(reason)
  })

  it.each([
    ['The lamp is on the table under the window', 'Under the window, the lamp is on the table'],
    ['All guests have arrived', 'The guests have all arrived'],
    ['This sauce is sugar-free', 'There is no sugar in this sauce'],
    ['Add 6 teaspoons of salt', 'Add 2 tablespoons of salt'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })
})
