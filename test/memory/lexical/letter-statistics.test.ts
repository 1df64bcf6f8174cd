import { languageScores } from '@memory/memory/lexical/letter-statistics'
import { eld } from 'eld/extrasmall'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const sentences = [
  'Yesterday the neighbours brought us a basket of fresh apples; they don’t grow any themselves.',
  'Gestern haben uns die Nachbarn einen Korb mit frischen Äpfeln aus ihrem Garten gebracht.',
  'Wczoraj sąsiedzi przynieśli nam kosz świeżych jabłek ze swojego ogrodu.',
  'Hôm qua hàng xóm mang cho chúng tôi một giỏ táo tươi từ vườn của họ.',
  'Вчера соседи принесли нам корзину свежих яблок из своего сада.',
  'Χθες οι γείτονες μας έφεραν ένα καλάθι με φρέσκα μήλα από τον κήπο τους.',
  'أحضر لنا الجيران بالأمس سلة من التفاح الطازج من حديقتهم.',
  'कल पड़ोसी हमारे लिए अपने बगीचे से ताज़े सेबों की एक टोकरी लाए।',
  '昨天邻居给我们带来了一篮子他们花园里的新鲜苹果。',
  '昨日、隣の人が庭で採れた新鮮なりんごをかごいっぱい持ってきてくれました。',
  '어제 이웃들이 정원에서 딴 신선한 사과 한 바구니를 가져다주었습니다.',
  'เมื่อวานเพื่อนบ้านนำตะกร้าแอปเปิลสดจากสวนของพวกเขามาให้เรา',
]
const piece = fc.tuple(fc.constantFrom(...sentences), fc.nat(90), fc.nat(90))
const texts = fc.array(piece, { maxLength: 8 }).chain((pieces) =>
  fc.constantFrom(' ', '', "'", ' 42, ', '\n`').map((between) => {
    return pieces.map(([sentence, from, length]) => sentence.slice(from, from + length)).join(between)
  }),
)

describe('languageScores', () => {
  it('gives what the package gives that the table is from, whatever a text is of', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = eld.detect(text)
        const found = languageScores(text)
        expect(Object.fromEntries(found.map(({ language, score }) => [language, score]))).toEqual(
          expected.getScores(),
        )
        expect(found[0]?.language ?? '').toBe(expected.language)
        expect(found[0]?.isTypical ?? false).toBe(expected.isReliable())
      }),
      { numRuns: 500 },
    )
  })

  it.each(['', ' \n', '12345', '?!', '😀', '\ud800', '\u0000'])('says nothing of %j', (text) => {
    expect(languageScores(text)).toEqual([])
  })

  it('looks at the beginning of a text alone', () => {
    const text = sentences[0]?.repeat(12) ?? ''
    expect(languageScores(text + 'Вчера соседи принесли нам яблоки. '.repeat(10_000))).toEqual(
      languageScores(text),
    )
  })
})
