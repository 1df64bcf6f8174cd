import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Category, categories } from '../../packages/shared/src/catalogue/categories.ts'
import { openEncoder } from '../../packages/shared/src/encoder/encoder.ts'
import { repository } from '../support/environment.ts'

/** The classes of a fact: its category, or `none` for what is no personal fact. */
export const classNames: readonly (Category | 'none')[] = [...categories, 'none']

export interface Fact {
  category: Category | 'none'
  language: string
  text: string
  embedding: Float32Array
}

/** The facts of `test/data/categories/NAME.tsv` with their embeddings. @throws Error for a line that is no fact */
export async function readFacts(name: 'train' | 'test'): Promise<Fact[]> {
  const [, ...lines] = readFileSync(join(repository, `test/data/categories/${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
  const encoder = await openEncoder(join(repository, 'models'))
  try {
    const facts: Fact[] = []
    for (const line of lines) {
      const [label, language, text] = line.split('\t')
      const category = classNames.find((each) => each === label)
      if (category === undefined || !language || !text) throw new Error(`No fact: ${line}`)
      facts.push({ category, language, text, embedding: await encoder.encode(text) })
    }
    return facts
  } finally {
    await encoder.close()
  }
}
