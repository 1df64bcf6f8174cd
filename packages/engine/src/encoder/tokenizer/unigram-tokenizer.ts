import { foldText } from '../../text-form.ts'
import { library, type Normalizer, type PreTokenizer } from './library.ts'
import { PieceTrie } from './piece-trie.ts'
import type { Knowledge, Tokenizer } from './tokenizer.ts'
import { Unigram } from './unigram.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The parts of tokenizer.json that are read here, without the vocabulary. */
export interface UnigramJson {
  readonly added_tokens: readonly AddedToken[]
  readonly normalizer: unknown
  readonly pre_tokenizer: unknown
  readonly post_processor: unknown
  readonly model: { readonly unk_id: number }
}

interface AddedToken {
  readonly id: number
  readonly content: string
  readonly lstrip?: boolean
  readonly rstrip?: boolean
}

/**
 * A Unigram tokenizer with the ids of `@huggingface/tokenizers` 0.2.0. Normaliser, pre-tokeniser and
 * post-processor are that library's own classes; added tokens, the vocabulary and the segmentation, where its
 * time and memory go, are replaced: of 1,000 texts in 60 languages 1.28 million tokens a second, the library 0.15, and 22 MB
 * in 0.1 s to open the shipped vocabulary, the library 290 MB in 0.8 s. The tests hold the ids against the library's.
 */
export class UnigramTokenizer implements Tokenizer {
  readonly kind = 'unigram'
  readonly prefixLength: number
  readonly suffixLength: number
  readonly characters: string
  private readonly prefix: readonly number[]
  private readonly suffix: readonly number[]
  private readonly addedTokens: ReadonlyMap<string, AddedToken>
  private readonly addedPattern: RegExp | undefined
  private readonly normalizer: Normalizer
  private readonly preTokenizer: PreTokenizer
  private readonly trie: PieceTrie
  private readonly unknownId: number
  private readonly model: Unigram

  /** Expects what `isSupported` said yes to. */
  constructor(json: UnigramJson, vocabulary: Vocabulary) {
    const trie = PieceTrie.build(vocabulary)
    this.trie = trie
    this.characters = charactersOf(vocabulary)
    this.unknownId = json.model.unk_id
    this.model = new Unigram(trie, vocabulary.scores, json.model.unk_id)
    this.normalizer = new library.SequenceNormalizer({ normalizers: [json.normalizer] })
    this.preTokenizer = new library.SequencePreTokenizer({ pretokenizers: [json.pre_tokenizer] })
    this.addedTokens = new Map(json.added_tokens.map((token) => [token.content, token]))
    this.addedPattern = longestFirst([...this.addedTokens.keys()])
    const idOf = (token: string) => {
      const id = trie.find(token)
      return id < 0 ? json.model.unk_id : id
    }
    const [prefix, suffix] = readTemplate(json.post_processor)
    this.prefix = prefix.map(idOf)
    this.suffix = suffix.map(idOf)
    this.prefixLength = prefix.length
    this.suffixLength = suffix.length
  }

  /** Whether this class gives the library's ids for such a file; the library is there for the others. */
  static isSupported(json: unknown, vocabulary: Vocabulary, config: TokenizerSettings): json is UnigramJson {
    const file = json as UnigramFile | null
    const { model, added_tokens: addedTokens, pre_tokenizer: preTokenizer } = file ?? {}
    if (model?.type !== 'Unigram' || !Array.isArray(model.vocab) || model.vocab.length > 0) return false
    if (!Number.isInteger(model.unk_id) || !(model.unk_id! >= 0 && model.unk_id! < vocabulary.size))
      return false
    if (file?.normalizer === undefined || file.post_processor === undefined || file.decoder === undefined) {
      return false
    }
    if (config.remove_space === true || config.do_lowercase_and_remove_accent === true) return false

    // Every word then begins with the metaspace, a known piece. Otherwise unknown characters on both sides of a
    // word boundary are joined into one string, which the library looks up once more.
    const steps = preTokenizer?.type === 'Sequence' ? (preTokenizer.pretokenizers ?? []) : [preTokenizer]
    const metaspace = steps.at(-1)
    if (metaspace?.type !== 'Metaspace' || metaspace.str_rep !== undefined) return false
    if ((metaspace.prepend_scheme ?? 'always') !== 'always') return false
    if (!hasPiece(vocabulary, metaspace.replacement ?? '▁')) return false

    return Array.isArray(addedTokens) && addedTokens.every((token) => isPlainAddedToken(token, vocabulary))
  }

  encode(text: string): Int32Array {
    const ids = [...this.prefix]
    for (const section of this.splitAddedTokens(text)) {
      if (section === '') continue
      const added = this.addedTokens.get(section)
      if (added !== undefined) ids.push(added.id)
      else this.appendSection(section, ids)
    }
    ids.push(...this.suffix)
    return Int32Array.from(ids)
  }

  tellsAll(text: string, ids: Int32Array): boolean {
    // A special token that is written out in a text is the token to the model, and so is what is folded to it.
    if (ids.includes(this.unknownId) || this.addedPattern?.test(text)) return false
    return foldText(this.normalizer.normalize(text)) === foldText(text)
  }

  knowledgeOf(character: string): Knowledge {
    // The normaliser takes ten times as long as this, which most characters come out of as they are.
    if (this.trie.find(character) >= 0 && character.normalize('NFKC') === character) return 'known'
    const normal = this.normalizer.normalize(character)
    for (const point of normal) if (point !== ' ' && this.trie.find(point) < 0) return 'unknown'
    return normal === character ? 'known' : 'folded'
  }

  private appendSection(section: string, ids: number[]): void {
    const text = this.normalizer.normalize(section)
    if (text === '') return
    // Text that only becomes a special token by normalising (full-width letters) counts as one when it is alone.
    const added = this.addedTokens.get(text)
    if (added !== undefined) {
      ids.push(added.id)
      return
    }
    const from = ids.length
    for (const word of this.preTokenizer.pre_tokenize(text)) this.model.append(word, ids, from)
  }

  /** Text between added tokens and the tokens themselves, in order; some parts may be empty. */
  private splitAddedTokens(text: string): string[] {
    if (this.addedPattern === undefined) return [text]
    const sections = text.split(this.addedPattern)
    for (let i = 1; i < sections.length; i += 2) {
      const token = this.addedTokens.get(sections[i]!)
      if (token?.lstrip) sections[i - 1] = sections[i - 1]!.trimEnd()
      if (token?.rstrip) sections[i + 1] = sections[i + 1]!.trimStart()
    }
    return sections
  }
}

/** What tokenizer_config.json can ask for. */
export interface TokenizerSettings {
  readonly remove_space?: unknown
  readonly do_lowercase_and_remove_accent?: unknown
  readonly model_max_length?: unknown
  readonly name_or_path?: unknown
}

/** A tokenizer.json of which nothing is known yet. */
interface UnigramFile {
  readonly model?: { readonly type?: string; readonly vocab?: unknown; readonly unk_id?: number }
  readonly added_tokens?: readonly (AddedToken & { normalized?: boolean; special?: boolean })[]
  readonly normalizer?: unknown
  readonly pre_tokenizer?: PreTokenizerFile | null
  readonly post_processor?: unknown
  readonly decoder?: unknown
}

interface PreTokenizerFile {
  readonly type?: string
  readonly pretokenizers?: readonly PreTokenizerFile[]
  readonly str_rep?: string
  readonly replacement?: string
  readonly prepend_scheme?: string
}

/** Whether the token is a piece of the same id, matched in the text as it came, without white space at its ends. */
function isPlainAddedToken(
  token: AddedToken & { normalized?: boolean; special?: boolean },
  vocabulary: Vocabulary,
): boolean {
  const { content, id } = token
  const normalized = token.normalized ?? !token.special
  return !normalized && content !== '' && content.trim() === content && pieceEquals(vocabulary, id, content)
}

function hasPiece(vocabulary: Vocabulary, piece: string): boolean {
  for (let id = 0; id < vocabulary.size; id++) if (pieceEquals(vocabulary, id, piece)) return true
  return false
}

/** The pieces that are one character. */
function charactersOf({ size, units, ends }: Vocabulary): string {
  let characters = ''
  for (let id = 0, start = 0; id < size; start = ends[id++]!) {
    const length = ends[id]! - start
    if (length !== 1 && !(length === 2 && (units[start]! & 0xfc00) === 0xd800)) continue
    characters += String.fromCharCode(...units.subarray(start, ends[id]!))
  }
  return characters
}

function pieceEquals({ size, units, ends }: Vocabulary, id: number, piece: string): boolean {
  if (!(id >= 0 && id < size)) return false
  const start = id === 0 ? 0 : ends[id - 1]!
  if (ends[id]! - start !== piece.length) return false
  for (let i = 0; i < piece.length; i++) if (units[start + i] !== piece.charCodeAt(i)) return false
  return true
}

/** Matches the longest of the words at the leftmost place, as a capture, so that `split` keeps it. */
function longestFirst(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined
  const sorted = words.toSorted((a, b) => b.length - a.length)
  return new RegExp(`(${sorted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`)
}

/** The special tokens in front of and behind a text, found by processing a text of one token. */
function readTemplate(config: unknown): [prefix: string[], suffix: string[]] {
  if (config === null) return [[], []]
  const text = '\0'
  const { tokens } = new library.SequencePostProcessor({ processors: [config] }).post_process([text])
  const at = tokens.indexOf(text)
  return [tokens.slice(0, at), tokens.slice(at + 1)]
}
