import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { LibraryTokenizer } from '../../packages/engine/src/encoder/tokenizer/library-tokenizer.ts'
import { openTokenizer } from '../../packages/engine/src/encoder/tokenizer/open-tokenizer.ts'
import type { Tokenizer } from '../../packages/engine/src/encoder/tokenizer/tokenizer.ts'
import reference from './reference.json' with { type: 'json' }
import { oddTexts, sentences } from './texts.ts'

const models = new URL('../../models/', import.meta.url)
const file = readFileSync(new URL('tokenizer.json', models))
const settings = JSON.parse(readFileSync(new URL('tokenizer_config.json', models), 'utf8'))

let light: Tokenizer
let library: Tokenizer

beforeAll(() => {
  light = openTokenizer(file, settings)
  library = new LibraryTokenizer(JSON.parse(file.toString()), settings)
})

/** The texts of which the two tokenizers make different ids. */
function differences(texts: readonly string[], one: Tokenizer, other: Tokenizer): string[] {
  return texts.filter((text) => String(one.encode(text)) !== String(other.encode(text)))
}

describe('the light tokenizer on the shipped vocabulary', () => {
  it('is the one that is used', () => {
    expect(light.kind).toBe('unigram')
    expect([light.prefixLength, light.suffixLength]).toEqual([1, 1])
    expect([library.prefixLength, library.suffixLength]).toEqual([1, 1])
  })

  it('gives the reference ids', () => {
    for (const { text, ids } of reference.items) expect(Array.from(light.encode(text))).toEqual(ids)
  })

  it('gives the library’s ids for sentences in 60 languages', () => {
    expect(differences(sentences, light, library)).toEqual([])
    expect(differences([sentences.join('\n')], light, library)).toEqual([])
  })

  it('gives the library’s ids for odd texts', () => {
    expect(differences(oddTexts, light, library)).toEqual([])
  })

  it('gives the library’s ids for random Unicode strings', () => {
    const mixed = fc.array(fc.constantFrom(...sentences.flatMap((line) => line.split(/(?= )/))), {
      maxLength: 8,
    })
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'aeiou<s>/unkm▁ \u0301～😀𓀀\ud83d\ude00'), maxLength: 60 }),
      mixed.map((words) => words.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(light.encode(text)).toEqual(library.encode(text))
      }),
      { seed: 20240229, numRuns: 2_000 },
    )
  })
})

/** A Unigram tokenizer.json. */
function unigram(vocab: [piece: string, score: number][], changes: object = {}) {
  const special = { SpecialToken: { id: '<s>', type_id: 0 } }
  return {
    added_tokens: [{ id: 1, content: '<s>', special: true, normalized: false, rstrip: true }],
    normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special, { Sequence: { id: 'A', type_id: 0 } }, special, special],
      pair: [],
    },
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
    model: { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0], ['<s>', 0], ['▁', -2], ...vocab] },
    ...changes,
  }
}

function openBoth(json: object, space?: number): [Tokenizer, Tokenizer] {
  return [openTokenizer(Buffer.from(JSON.stringify(json, null, space))), new LibraryTokenizer(json, {})]
}

describe('the light tokenizer on other vocabularies', () => {
  it('breaks ties between equally probable segmentations as the library does', () => {
    const scores = [-1, -0.1, -0.3, -1.1, -2.2, -1e-3]
    const pieces = fc.uniqueArray(
      fc.tuple(
        fc.string({ unit: fc.constantFrom('a', 'b', '▁'), minLength: 1, maxLength: 5 }),
        fc.constantFrom(...scores),
      ),
      { minLength: 1, maxLength: 20, selector: ([piece]) => piece },
    )
    const texts = fc.array(fc.string({ unit: fc.constantFrom(...'aaabbc d<s>'), maxLength: 60 }), {
      minLength: 5,
      maxLength: 5,
    })
    fc.assert(
      fc.property(pieces, texts, (vocab, samples) => {
        const [one, other] = openBoth(unigram(vocab.filter(([piece]) => piece !== '▁')))
        expect(one.kind).toBe('unigram')
        expect(differences(samples, one, other)).toEqual([])
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('reads indented files, escapes and every way to write a number', () => {
    const vocab: [string, number][] = [
      ['"\\/\b\f\n\r\t', -1],
      ['€', -1.25e-3],
      ['😀', -12345.678901234567],
      ['é', 1e3],
      ['q', -1e-7],
      ['qq', -0.30000000000000004],
      ['\u0001', -3],
    ]
    const json = unigram(vocab)
    const escaped = JSON.stringify(json, null, 2).replace('😀', '\\ud83d\\uDE00').replace('€', '\\u20ac')
    const one = openTokenizer(Buffer.from(escaped))
    expect(one.kind).toBe('unigram')
    expect(differences(['€😀éqqq', '"', '', '😀😀 x<s>  €'], one, new LibraryTokenizer(json, {}))).toEqual([])
    expect(one.prefixLength).toBe(1)
    expect(one.suffixLength).toBe(2)
  })

  it('lets the later of two equal pieces count', () => {
    const [one, other] = openBoth(
      unigram([
        ['a', -5],
        ['b', -1],
        ['a', -1],
      ]),
    )
    expect(Array.from(one.encode('ab'))).toEqual(Array.from(other.encode('ab')))
  })

  it.each([
    ['words that do not begin with a metaspace', { pre_tokenizer: { type: 'WhitespaceSplit' } }],
    [
      'a metaspace in front of the first word only',
      { pre_tokenizer: { type: 'Metaspace', prepend_scheme: 'first' } },
    ],
    ['no pre-tokenizer', { pre_tokenizer: null }],
    ['added tokens that are normalised', { added_tokens: [{ id: 1, content: '<s>' }] }],
    ['added tokens outside the vocabulary', { added_tokens: [{ id: 9, content: '<extra>', special: true }] }],
  ])('leaves %s to the library', (_, changes) => {
    const [one, other] = openBoth(
      unigram(
        [
          ['a', -1],
          ['b', -2],
          ['▁a', -1.5],
        ],
        changes,
      ),
    )
    expect(one.kind).toBe('library')
    expect(differences(['a b', 'xa yb', '<s> <extra>', ''], one, other)).toEqual([])
  })

  it('leaves WordPiece to the library', () => {
    const vocab = Object.fromEntries(
      ['[UNK]', '[CLS]', '[SEP]', 'hello', 'world', '##s'].map((piece, id) => [piece, id]),
    )
    const tokenizer = openTokenizer(
      Buffer.from(
        JSON.stringify({
          added_tokens: [],
          normalizer: { type: 'BertNormalizer', lowercase: true },
          pre_tokenizer: { type: 'BertPreTokenizer' },
          post_processor: { type: 'BertProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 1] },
          decoder: { type: 'WordPiece', prefix: '##' },
          model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab },
        }),
      ),
    )
    expect(tokenizer.kind).toBe('library')
    expect(Array.from(tokenizer.encode('Hello worlds'))).toEqual([1, 3, 4, 5, 2])
    expect([tokenizer.prefixLength, tokenizer.suffixLength]).toEqual([1, 1])
  })

  it.each(['', '{', '{}', 'null', '[]', '{"vocab": [["a", 1]', '{"model":{"vocab":[["a",x]]}}'])(
    'refuses %j',
    (content) => {
      expect(() => openTokenizer(Buffer.from(content))).toThrow()
    },
  )
})
