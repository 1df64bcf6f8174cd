import { namesAnother } from '@memory/engine/explain/names-another'
import { describe, expect, it } from 'vitest'

/** An encoder that takes a question for `change` nearer to any text without a word than with it. */
const nearerWithout = (word: string, change: number) => async (one: string) =>
  one.includes(word) ? 0.5 : 0.5 + change

/** Words that a text lacks in any form bring a question nearer to it when they are gone; those it says otherwise do not. */
const [foreign, little, said] = [0.14, 0.03, -0.2]

describe('namesAnother', () => {
  it.each([
    ['How much did Tom pay for the taxi?', 'Tom paid 42 euros for the concert tickets.', 'taxi', little],
    ['Quel est le code du garage ?', 'Le code du portail est 4821.', 'garage', little],
    ['Wann wurde der Kühlschrank gekauft?', 'Die Waschmaschine wurde 2021 gekauft.', 'Kühlschrank', little],
    ['¿A qué hora abre el banco?', 'La farmacia abre a las nueve.', 'banco', little],
    ['When was Postgres upgraded?', 'Redis was upgraded to 7.2 on 3 October.', 'Postgres', little],
    ['when was postgres upgraded', 'Redis was upgraded to 7.2 on 3 October.', 'postgres', little],
    ['Wann endet Mathe?', 'Sport endet um drei.', 'Mathe', foreign],
    ['How much did Anna pay for the tickets?', 'Tom paid 42 euros for the tickets.', 'Anna', little],
    ['Quand Postgres a-t-il été mis à jour ?', 'Redis was upgraded on 3 October.', 'Postgres', little],
    ['В каком классе учится Петя?', 'Маша учится в третьем классе.', 'Петя', little],
    ['What is the Netflix password?', 'The Wi-Fi password is tulip-blue-19.', 'Netflix', little],
    ['When does our flight to Madrid leave?', 'Our flight to Lisbon leaves at 6:40.', 'Madrid', little],
  ])('tells a text of another thing: %s', async (question, text, word, change) => {
    expect(await namesAnother(question, text, nearerWithout(word, change))).toBe(true)
    // In other words it may say the same.
    expect(await namesAnother(question, text, nearerWithout(word, said))).toBe(false)
  })

  it.each([
    ['What is my brother allergic to?', 'Ma sœur Inès est allergique aux arachides.', 'brother'],
    ['Wogegen ist mein Bruder allergisch?', 'Ma sœur Inès est allergique aux arachides.', 'Bruder'],
    ['What is my father allergic to?', '我妈妈对海鲜过敏。', 'father'],
    ['我爸爸对什么过敏？', '我妈妈对海鲜过敏。', '爸爸'],
    ['¿Dónde vive mi hermano?', 'Mi hermana vive en Sevilla.', 'hermano'],
    ['When does grandpa pick up Lena?', 'Grandma picks up Lena on Fridays.', 'grandpa'],
    ['Чего боится кошка?', 'Собака Рекс боится грома.', 'кошка'],
  ])(
    'tells a text of another relative or animal, near as their words are: %s',
    async (question, text, word) => {
      expect(await namesAnother(question, text, nearerWithout(word, -0.09))).toBe(true)
    },
  )

  it.each([
    [
      'the kind of thing that is asked for',
      'What medicine does Milo take?',
      'Milo gets half a tablet of Apoquel.',
      'medicine',
    ],
    [
      'what is asked for of a thing',
      'Quel est le nom de mon médecin ?',
      'Mon médecin est le docteur Morel.',
      'nom',
    ],
    ['a word before another', 'Where is the extra key?', 'The spare key is under the flowerpot.', 'extra'],
    ['a verb', 'Who collects Lena from school?', 'Grandma picks up Lena from school.', 'collects'],
    ['a word in another language', 'What is the gate code?', 'Le code du portail est 4821.', 'gate'],
    [
      'a form of a word',
      'Wann ist der Termin von Emil?',
      'Der Zahnarzttermin von Emil ist am 4. Juni.',
      'Termin',
    ],
    [
      'a relative who has a name',
      'Wann hat mein Sohn Emil den Zahnarzttermin?',
      'Der Zahnarzttermin von Emil ist am 4. Juni.',
      'Sohn',
    ],
    ['a nickname', 'Where does Benjamin live?', 'Ben lives in Leeds.', 'Benjamin'],
    ['the name of who speaks', 'When did Ada visit Ben?', 'I visited Ben in May.', 'Ada'],
    ['a part of the day', 'Where do we meet in the morning?', 'We meet in the Blue room.', 'morning'],
    ['what a way leads to', 'How do I get into the house?', 'The spare key is under the flowerpot.', 'house'],
    ['what a yes or no is wanted of', 'Does Dana want the window?', 'Dana prefers the aisle seat.', 'window'],
    ['a verb behind others', 'Wo habe ich das Fahrrad abgestellt?', 'Das Rad steht im Keller.', 'abgestellt'],
    ['the head of a compound', 'Wo habe ich das Fahrrad abgestellt?', 'Das Rad steht im Keller.', 'Fahrrad'],
    [
      'of what a name is wanted',
      'What was the campsite in Kerry called?',
      'In Kerry we slept at Glenross.',
      'campsite',
    ],
    ['of what a name is wanted', 'Wie hieß der Campingplatz?', 'Wir waren auf Glenross.', 'Campingplatz'],
    ['initials of what is no name', 'Who is the CEO of Lumo?', 'Pia Salo leads Lumo.', 'CEO'],
    ['a name of an animal', 'Which vet treats Bruno?', 'Our dog goes to Dr Kaya.', 'Bruno'],
  ])('lets be %s', async (_, question, text, word) => {
    expect(await namesAnother(question, text, nearerWithout(word, 0.04))).toBe(false)
  })

  it.each([
    ['Where does Mr Berg work?', 'Tom Berg works at Nordbank.', 'Mr'],
    ['Where does Captain Reyes live?', 'Luis Reyes lives in Hull.', 'Captain'],
    ['Where does Judge Amsel sit?', 'Rita Amsel sits in Trier.', 'Judge'],
    ['Où travaille Mme Holm ?', 'Ina Holm travaille à Lyon.', 'Mme'],
    ['¿Dónde enseña la profesora Amsel?', 'Rita Amsel enseña en Lugo.', 'profesora'],
    ['Gdzie pracuje pan Berg?', 'Tom Berg pracuje w Nordbanku.', 'pan'],
    ['Где работает господин Берг?', 'Том Берг работает в Нордбанке.', 'господин'],
    ['Bay Berg nerede çalışıyor?', "Tom Berg Nordbank'ta çalışıyor.", 'Bay'],
    ['Where is Nordbank AG based?', 'Nordbank is based in Hull.', 'AG'],
    ['Where is Helvia Ltd based?', 'Helvia GmbH has its head office in Bern.', 'Ltd'],
    ['Où siège la société Brakko SARL ?', 'Brakko siège à Metz.', 'SARL'],
    ['Where does Ada Lopez live?', 'Ada lives in Leeds.', 'Lopez'],
    ['Where does Ada Lopez live?', 'Ms Lopez lives in Leeds.', 'Ada'],
    ['Wie ist die Nummer von Ada Lopez?', 'Adas Nummer ist 555 1234.', 'Lopez'],
    ['Waar woont Pieter van Dijk?', 'Pieter woont in Gent.', 'Dijk'],
    ['¿Dónde vive Carlos de la Cruz?', 'Carlos vive en Lugo.', 'Cruz'],
    ['Какой номер у Тома Берга?', 'Номер Тома 555 1234.', 'Берга'],
    ['Who runs Nordbank Germany?', 'Ada Lopez runs Nordbank.', 'Germany'],
    ['Where is the Eiffel Tower?', 'The Tour Eiffel stands in Paris.', 'Tower'],
    ['When was the Second World War?', 'WWII lasted from 1939 to 1945.', 'World'],
    ['When did the United Nations meet?', 'The UN met in May.', 'Nations'],
    ['Where is the NYC office?', 'The New York City office is on 5th Avenue.', 'NYC'],
  ])('takes a name in another form for the same: %s / %s', async (question, text, word) => {
    expect(await namesAnother(question, text, nearerWithout(word, 0.3))).toBe(false)
  })

  it.each([
    ['Where does Ada Lopez live?', 'Ina Lopez lives in Hull.', 'Ada'],
    ['Where does Ada Lopez live?', 'Ada Holm lives in Hull.', 'Lopez'],
    ['Where does Mr Berg work?', 'Mr Holm works at Nordbank.', 'Berg'],
    ['Wo arbeitet Herr Berg?', 'Herr Holm arbeitet bei Nordbank.', 'Berg'],
    ['Wann hat Emma Geburtstag?', 'Leo hat am 4. Mai Geburtstag.', 'Emma'],
    ['Where is Nordbank AG based?', 'Helvia AG is based in Hull.', 'Nordbank'],
    ['Where does Pieter van Dijk live?', 'Pieter de Boer lives in Gent.', 'Dijk'],
    ["Where is Tom's Volvo?", "Tom's Skoda is in the garage.", 'Volvo'],
    ['Who is the CEO of Nordbank?', 'The CTO of Nordbank is Ada Lopez.', 'CEO'],
  ])('tells another of the same title, form or name: %s / %s', async (question, text, word) => {
    expect(await namesAnother(question, text, nearerWithout(word, 0.05))).toBe(true)
  })

  it('asks the encoder for few words of a question, and for none where the text has them all', async () => {
    let asked = 0
    const cosineOf = async () => {
      asked++
      return 0.5
    }
    const places = Array.from({ length: 40 }, (_, i) => `the thing${String.fromCharCode(97 + (i % 26))}`)
    await namesAnother(`Where are ${places.join(' and ')}?`, 'The kettle is on the shelf.', cosineOf)
    expect(asked).toBeLessThan(8)
    asked = 0
    expect(await namesAnother('Where is the kettle?', 'The kettle is on the shelf.', cosineOf)).toBe(false)
    expect(asked).toBe(0)
  })
})
