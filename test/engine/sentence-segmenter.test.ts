import { sentenceSegmenter } from '@memory/engine/sentence-segmenter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const sentences = (text: string): string[] =>
  sentenceSegmenter.segment(text).map(({ segment }) => segment.trim())

describe('sentenceSegmenter', () => {
  it.each([
    ['English', 'Dr. Meyer and Mrs. Smith met Prof. Jones.'],
    ['English initials', 'J. K. Rowling wrote the book with J.R. Tolkien.'],
    ['French', 'M. Dupont répare le toit avec Mme. Blanc et Mlle. Roux.'],
    ['German', 'Hr. Fink und Fr. Meyer sprechen mit Dr. Ing. Huber.'],
    ['Spanish', 'El Sr. Pinzón y la Sra. Ruiz llaman a la Dra. Gómez.'],
    ['Italian', 'Il sig. Rossi e la dott. Bianchi scrivono all’avv. Neri.'],
    ['Portuguese', 'O Sr. Pinto e a Profa. Lima chegam.'],
    ['Dutch', 'Dhr. Vink en mevr. Bos wonen hier.'],
    ['Polish', 'Ks. Zięba i dr. Nowak są w domu.'],
    ['Turkish', 'Doç. Yılmaz ve Av. Demir geldi.'],
    ['Russian', 'Проф. Зяблов и А. С. Пушкин гуляют.'],
    ['Greek', 'Ο Δρ. Παππάς μένει εδώ.'],
  ])('ends no sentence at a title or an initial: %s', (_, text) => {
    expect(sentences(text)).toEqual([text])
    expect(sentences(`${text} Это всё!`)).toEqual([text, 'Это всё!'])
  })

  it.each([
    ['I live in Rome. Ada lives in Oslo.', 2],
    ['I met Tom. He is well.', 2],
    ['She has a Ph.D. She works at home.', 2],
    ['Sie kommt, wenn ich mag. Anna bleibt hier.', 2],
    ['He told me. Anna heard it.', 2],
    ['Он родился в 1990 г. Она родилась позже.', 2],
    ['Call the Dr.\nMeyer is here.', 2],
    ['No puedo ir. Estoy enfermo.', 2],
    ['Jag stängde av. Sedan gick jag.', 2],
    ['It is 20 °C. Wear a coat.', 2],
    ['锅炉坏了。老范来修。', 2],
  ])('ends one at other words: %s', (text, count) => {
    expect(sentences(text)).toHaveLength(count)
  })

  it('gives every character once, and where each sentence begins', () => {
    const words = fc.constantFrom('Dr.', 'J.', 'M.', 'Rome.', 'here?', 'она', '锅炉。', '\n', ' ', '  ', 'г.')
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        const text = parts.join(' ')
        const found = sentenceSegmenter.segment(text)
        expect(found.map(({ segment }) => segment).join('')).toBe(text)
        for (const { segment, index } of found) expect(text.startsWith(segment, index)).toBe(true)
      }),
    )
  })
})
