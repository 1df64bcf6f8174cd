import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

describe('a word that says no by itself, and what one says with a word for no', () => {
  it.each([
    ['Smoking is forbidden in the garden', 'You must not smoke in the garden'],
    ['Man darf hier nicht parken', 'Parken ist hier verboten'],
    ['Il est interdit de fumer ici', 'On ne peut pas fumer ici'],
    ['Está prohibido aparcar aquí', 'No se puede aparcar aquí'],
    ['È vietato nuotare qui', 'Qui non si può nuotare'],
    ['É proibido nadar aqui', 'Aqui não se pode nadar'],
    ['Здесь нельзя парковаться', 'Парковаться здесь запрещено'],
    ['Burada yüzmek yasak', 'Burada yüzülmez'],
    ['السباحة ممنوعة هنا', 'لا يسمح بالسباحة هنا'],
    ['Här är det förbjudet att parkera', 'Här får man inte parkera'],
    ['The printer is broken', "The printer doesn't work"],
    ['Der Drucker ist kaputt', 'Der Drucker funktioniert nicht'],
    ["L'imprimante est en panne", "L'imprimante ne marche pas"],
    ['La impresora está estropeada', 'La impresora no funciona'],
    ['La stampante è rotta', 'La stampante non funziona'],
    ['A impressora está avariada', 'A impressora não funciona'],
    ['De printer is kapot', 'De printer doet het niet'],
    ['Drukarka jest zepsuta', 'Drukarka nie działa'],
    ['Принтер сломан', 'Принтер не работает'],
    ['Yazıcı bozuk', 'Yazıcı çalışmıyor'],
    ['الطابعة معطلة', 'الطابعة لا تعمل'],
    ['打印机坏了', '打印机不能用了'],
    ['プリンターが壊れている', 'プリンターが動かない'],
    ['프린터가 고장 났다', '프린터가 작동하지 않는다'],
    ['प्रिंटर ख़राब है', 'प्रिंटर काम नहीं करता'],
    ['Skrivaren är trasig', 'Skrivaren fungerar inte'],
    ['Die Tür ist nicht abgeschlossen', 'Die Tür ist unverschlossen'],
    ['The tank is empty', 'There is nothing in the tank'],
    ['The museum is free for children', "Children don't pay at the museum"],
    ['我妹妹是老师', '我妹妹当老师'],
    ["Uma is Ben's wife", "Ben is Uma's husband"],
    ['Uma ist Bens Frau', 'Ben ist Umas Mann'],
    ['Uma est la femme de Ben', 'Ben est le mari de Uma'],
    ['Uma is de vrouw van Ben', 'Ben is de man van Uma'],
    ["Nell is Ian's sister", "Ian is Nell's brother"],
    ["Tess is Ada's student", "Ada is Tess's teacher"],
    ["Uma was Ben's wife", "Ben was Uma's husband"],
    ['这里禁止停车', '这里不允许停车'],
  ])('%j is %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it.each([
    ['Parking is forbidden here', 'Parking is not forbidden here'],
    ['Parking is forbidden here', 'Parking is allowed here'],
    ['The printer is broken', 'The printer is not broken'],
    ['The door is unlocked', 'The door is not unlocked'],
    ['Rauchen ist hier verboten', 'Rauchen ist hier nicht verboten'],
    ['Принтер сломан', 'Принтер не сломан'],
    ['打印机坏了', '打印机没坏'],
    ['The tank is empty', 'The tank is not empty'],
    ["Uma is Ben's wife", "Uma is Ben's husband"],
    ['Uma loves her husband Ben', 'Ben loves his wife Uma'],
    ["Tess is Ada's student", "Tess is Ada's teacher"],
    ["Tess is Ada's student", "Ada is Tess's student"],
    ['The lift is broken, so take the stairs', 'The lift works, so do not take the stairs'],
    ['The lift is broken so take the stairs', 'The lift works so do not take the stairs'],
    ['The lift is broken. Take the stairs', 'The lift works. Do not take the stairs'],
    ['Smoking is forbidden here, but you may vape', 'You may smoke here, but you may not vape'],
    ['Smoking is forbidden here but you may vape', 'You may not vape here'],
    ['Die Heizung ist kaputt, nimm den Ofen', 'Die Heizung funktioniert wieder, nimm nicht den Ofen'],
    ["Uma was Ben's wife", "Ben is Uma's husband"],
    ["Uma is Ben's wife", "Ben was Uma's husband"],
    ['Uma war Bens Frau', 'Ben ist Umas Mann'],
    ['Uma fue la mujer de Ben', 'Ben es el marido de Uma'],
  ])('%j is not %j', (one, other) => {
    expect(reasonOf(one, other)).toBeDefined()
    expect(reasonOf(other, one)).toBeDefined()
  })
})
