import { readFileSync } from 'node:fs'

/** Sentences in 60 languages, one a line. */
export const sentences = readFileSync(new URL('./sentences.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')

const sample = 'I moved to Lisbon'

/** Texts that a tokenizer may trip over. */
export const oddTexts = [
  '',
  ' ',
  '   \t\r\n  ',
  'a',
  '▁',
  '▁▁ ▁a▁b▁',
  // White space of every kind, in front, between and behind.
  ...[...'\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000'].map(
    (space) => `${space}${sample}${space}${space}today${space}`,
  ),
  // Invisible and control characters.
  ...[
    ...'\0\x01\x07\x08\x0e\x1b\x1f\x7f\x80\x8f\x9f\u00ad\u061c\u200b\u200c\u200d\u200e\u2060\ufe0f\ufeff\ufffd',
  ].map((control) => `${control}Lis${control}bon ${control} x${control}`),
  // Special tokens written out, also in full width and with marks between.
  '<s>',
  '</s>',
  '<unk>',
  '<pad>',
  '<mask>',
  `<s>${sample}</s>`,
  `${sample}  <mask>  in spring`,
  '<mask><mask> <mask>',
  '  <mask>',
  '<s><mask>',
  '<s> <mask> </s>',
  'a<unk>b <unk> c<unk>',
  '<s<s>>',
  '<ma<mask>sk>',
  '<MASK> < mask >',
  '＜ｓ＞',
  '＜ｓ＞ ',
  ' ＜ｕｎｋ＞',
  '＜ｕｎｋ＞',
  'x＜ｕｎｋ＞＜ｕｎｋ＞y',
  '＜ｍａｓｋ＞ a',
  '𓀀<unk>𓀀 𓀀＜ｕｎｋ＞𓀀',
  // Composition, compatibility forms, ligatures.
  'Zażółć gęślą jaźń'.normalize('NFD'),
  'Tiếng Việt'.normalize('NFD'),
  '한국어 가각'.normalize('NFD'),
  'Å Å Å ﬁ ﬂ ﬀ ĳ ŉ ǆ ﷺ ﷽ ㎏ ㍿ ½ ² ₂ ⅷ ① ⒜ ㊙ ℃ Ω',
  'Ｆｕｌｌ　ｗｉｄｔｈ　１２３！～~〜',
  '～',
  'a～b ～ c',
  'ﾊﾟﾋﾟﾌﾟ ｶﾞ',
  'e\u0301\u0327\u0301 \u0301a \u0301',
  `Z${'\u0334\u0341\u0315'.repeat(40)}algo`,
  'ｱ\u3099 か\u3099',
  // Emoji: modifiers, joiners, flags, key caps.
  '😀 👍🏽 👩‍👩‍👧‍👦 🇵🇹 1️⃣ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🫠',
  '😀😀😀😀a😀😀',
  // Scripts that the vocabulary does not have, beside each other and across words.
  '𓀀𓀁𓀂 𓀃 a𓀄b𓀅𓀆',
  '𐎠𐎡 𝒜𝓃𝒶 𝟘𝟙𝟚 𞤀𞤁',
  '\u{10ffff}\u{e000}\u{f0000}\ufdd0\uffff',
  // Lone surrogates.
  '\ud83d',
  '\ude00',
  'a\ud83db \ude00\ud83d c',
  '\ud83d\ud83d\ude00\ude00',
  // Direction marks, mixed directions.
  'abc אבג 123 \u202eדהו\u202c xyz ١٢٣',
  // Long words and runs: many segmentations of equal probability.
  'a'.repeat(600),
  'ab'.repeat(300),
  'aaab'.repeat(150),
  'the'.repeat(200),
  '0'.repeat(500),
  '-'.repeat(300),
  '....!!!!????,,,,'.repeat(20),
  '哈'.repeat(300),
  'ㅋ'.repeat(200),
  'ん'.repeat(200),
  '😂'.repeat(200),
  '𓀀'.repeat(200),
  `${'x'.repeat(1023)} ${'y'.repeat(1024)} ${'z'.repeat(1025)}`,
  'https://example.com/a/very/long/path?query=string&other=%20value#fragment',
  'SGVsbG8gV29ybGQhIFRoaXMgaXMgYmFzZTY0Lg==',
  'const x = (a, b) => { return a?.[b] ?? [...b] } // code',
  '{"key": ["value", 1.5e-3, null]}\n\n\t- item\n\t- item',
  // Every character of the Latin-1 block and a sweep through the basic plane.
  String.fromCharCode(...Array.from({ length: 256 }, (_, unit) => unit)),
  ...Array.from({ length: 32 }, (_, block) =>
    Array.from({ length: 128 }, (_, i) => String.fromCharCode(block * 2048 + i * 16)).join(''),
  ),
]
