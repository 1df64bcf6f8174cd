import { compareLanguages, languagesOf } from '@memory/memory/lexical/language'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('languagesOf', () => {
  it.each([
    ['en', 'Yesterday the neighbours brought us a basket of fresh apples from their garden.'],
    ['de', 'Gestern haben uns die Nachbarn einen Korb mit frischen Äpfeln aus ihrem Garten gebracht.'],
    ['fr', 'Hier, les voisins nous ont apporté un panier de pommes fraîches de leur jardin.'],
    ['es', 'Ayer los vecinos nos trajeron una cesta de manzanas frescas de su jardín.'],
    ['it', 'Ieri i vicini ci hanno portato un cesto di mele fresche del loro giardino.'],
    ['pt', 'Ontem os vizinhos trouxeram-nos um cesto de maçãs frescas do seu jardim.'],
    ['nl', 'Gisteren hebben de buren ons een mand met verse appels uit hun tuin gebracht.'],
    ['sv', 'Igår kom grannarna med en korg färska äpplen från sin trädgård.'],
    ['pl', 'Wczoraj sąsiedzi przynieśli nam kosz świeżych jabłek ze swojego ogrodu.'],
    ['tr', 'Dün komşular bize bahçelerinden bir sepet taze elma getirdi.'],
    ['vi', 'Hôm qua hàng xóm mang cho chúng tôi một giỏ táo tươi từ vườn của họ.'],
    ['ru', 'Вчера соседи принесли нам корзину свежих яблок из своего сада.'],
    ['el', 'Χθες οι γείτονες μας έφεραν ένα καλάθι με φρέσκα μήλα από τον κήπο τους.'],
    ['ar', 'أحضر لنا الجيران بالأمس سلة من التفاح الطازج من حديقتهم.'],
    ['he', 'אתמול השכנים הביאו לנו סל תפוחים טריים מהגינה שלהם.'],
    ['hi', 'कल पड़ोसी हमारे लिए अपने बगीचे से ताज़े सेबों की एक टोकरी लाए।'],
    ['zh', '昨天邻居给我们带来了一篮子他们花园里的新鲜苹果。'],
    ['ja', '昨日、隣の人が庭で採れた新鮮なりんごをかごいっぱい持ってきてくれました。'],
    ['ko', '어제 이웃들이 정원에서 딴 신선한 사과 한 바구니를 가져다주었습니다.'],
    ['th', 'เมื่อวานเพื่อนบ้านนำตะกร้าแอปเปิลสดจากสวนของพวกเขามาให้เรา'],
  ])('tells %s by one sentence, alone or among few', (language, sentence) => {
    const languages = languagesOf(sentence)?.split(' ') ?? []
    expect(languages).toContain(language)
    expect(languages.length).toBeLessThanOrEqual(5)
  })

  it.each(['', ' \n\t', 'Ada', 'ok', '?!', '12345', 'RX-2209', '😀🎉👍', '\ud800', '1'.repeat(5_000)])(
    'says nothing of %j',
    async (text) => {
      expect(languagesOf(text)).toBeUndefined()
    },
  )

  it.each([
    ['en', 'Pedro lives in Madrid'],
    ['en', 'Favorite color: blue'],
    ['es', '¿Dónde está?'],
    ['en', 'Lisbon trip'],
    ['en', 'Pedro lives in Madrid and Lisbon'],
  ])('takes a few words with names in them for no other language than %s: %s', async (language, words) => {
    expect(compareLanguages(language, languagesOf(words))).not.toBe('foreign')
  })

  it('goes by how a text begins', async () => {
    const begins = 'Yesterday the neighbours brought us a basket of fresh apples from their garden. '.repeat(
      3,
    )
    expect(languagesOf(begins + 'Вчера соседи принесли нам корзину свежих яблок. '.repeat(50))).toBe('en')
  })

  it('gives codes of two letters or nothing, and the same each time, whatever a text says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (text) => {
        const languages = languagesOf(text)
        expect(languages ?? 'en').toMatch(/^[a-z]{2}(?: [a-z]{2})*$/)
        expect(languagesOf(text)).toBe(languages)
      }),
    )
  })
})

describe('compareLanguages', () => {
  it.each([
    ['en', 'de', 'foreign'],
    ['ca en', 'en', 'untold'],
    ['en ca', 'en', 'same'],
    ['ru sr uk', 'bg ru', 'untold'],
    ['de nl', 'en nl', 'foreign'],
    ['ru sr uk', 'de', 'foreign'],
    [undefined, 'en', 'untold'],
    ['en', undefined, 'untold'],
  ])('of %s and %s: %s', (a, b, expected) => {
    expect(compareLanguages(a, b)).toBe(expected)
    expect(compareLanguages(b, a)).toBe(expected)
  })

  it.each([
    'Leila works at Hotel Astoria.',
    'Marta repairs vintage radios.',
    'Luca’s piano teacher is Signora Bianchi.',
    'Carlos manages Café Central.',
    'Sven sells cars in Malmö.',
  ])('takes no short text full of names for another language for sure: %s', (text) => {
    expect(compareLanguages(languagesOf('Which instrument am I learning?'), languagesOf(text))).not.toBe(
      'foreign',
    )
  })
})
