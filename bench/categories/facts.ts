import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Category, categories } from '../../packages/engine/src/categories/categories.ts'
import { Embeddings } from '../belief/embeddings.ts'
import { repository } from '../support/environment.ts'

/** The classes of a fact: its category, or `none` for what is no personal fact. */
export const classNames: readonly (Category | 'none')[] = [...categories, 'none']

export interface Fact {
  category: Category | 'none'
  language: string
  text: string
  embedding: Float32Array
}

/**
 * The facts of `test/data/categories/NAME.tsv` with their embeddings.
 *
 * @param kept a folder that keeps embeddings between runs
 * @throws Error for a line that is no fact
 */
export async function readFacts(name: 'train' | 'test' | 'held-out', kept?: string): Promise<Fact[]> {
  const [, ...lines] = readFileSync(join(repository, `test/data/categories/${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
  return embedFacts(
    lines.map((line) => {
      const [label, language, text] = line.split('\t')
      const category = classNames.find((each) => each === label)
      if (category === undefined || !language || !text) throw new Error(`No fact: ${line}`)
      return { category, language, text }
    }),
    kept,
  )
}

export async function embedFacts(facts: readonly Omit<Fact, 'embedding'>[], kept?: string): Promise<Fact[]> {
  const embeddings = await Embeddings.open(kept)
  try {
    await embeddings.encode(
      facts.map(({ text }) => text),
      'facts',
    )
    return facts.map((fact) => ({ ...fact, embedding: embeddings.of(fact.text) }))
  } finally {
    await embeddings.close()
  }
}

/**
 * The same fact written another way: as a sentence with a capital and a full stop, or without both where it has them.
 * Else the style would say something of the category, since small talk has more of one of them.
 */
export function restyle(text: string): string {
  const first = text.charAt(0)
  const ended = /[.!?…。！？]$/u.test(text)
  if (ended) return first.toLowerCase() + text.slice(1).replace(/[.!。！]$/u, '')
  return `${first.toUpperCase()}${text.slice(1)}${/\p{Script=Han}|\p{Script=Hiragana}/u.test(text) ? '。' : '.'}`
}
