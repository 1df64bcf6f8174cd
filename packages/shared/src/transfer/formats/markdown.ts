import { lexer, type Token, type Tokens } from 'marked'
import { hashOf } from '../hash.ts'
import { type Format, type Memory, UnexpectedShape } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { present, textOf } from './values.ts'

export const markdown: Format = {
  title: 'Markdown',
  takes:
    'notes such as CLAUDE.md, AGENTS.md or MEMORY.md: each point of a list and each paragraph, table or block of code is a text, its headings are `section` in the metadata, and a date in front of it is `occurred_at`',
  seen: 'CommonMark with tables, as marked 18 reads it',
  isLike: (start) => !/^\uFEFF?\s*[[{]/.test(start),
  isSurely: (start) => /^\uFEFF?(?:#{1,6} |[-*+] |---\r?\n)/m.test(start) && !/^\s*[[{]/.test(start),
  async *convert({ file }, left): AsyncGenerator<Memory> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    try {
      for await (const chunk of file.read()) text += decoder.decode(chunk, { stream: true })
      text += decoder.decode()
    } catch (error) {
      throw error instanceof TypeError ? new UnexpectedShape('it is not UTF-8') : error
    }
    yield* memoriesOfMarkdown(text, { of: file.name, metadata: { source: file.name } }, left)
  },
}

const frontMatter = /^---\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)\r?\n/
/** As assistants write what they have kept: `[2026-03-01] - …`, `2026-03-01: …`. */
const leadingDate = /^\[?(\d{4}-\d{2}-\d{2})\]?\s*(?:[-–—:]\s+)/

interface Document {
  /** Names the document, in the own ids of its parts. */
  of: string
  metadata: Record<string, unknown>
}

/** What a document of headings, points and paragraphs says, part by part. */
export function* memoriesOfMarkdown(
  source: string,
  { of, metadata }: Document,
  left: Leftovers,
): Generator<Memory> {
  const text = source.replace(/^\uFEFF/, '')
  const body = text.replace(frontMatter, '')
  if (body.length < text.length) left.add('front matter')
  const headings: string[] = []
  let n = 0
  const memoryOf = (part: string): Memory => {
    const section = headings.filter((heading) => heading !== undefined).join(' > ')
    const [whole, date] = leadingDate.exec(part) ?? ['']
    // By what it says, so that the same file, changed, doubles nothing that it still says.
    const id = hashOf(`${section}\0${part}`, 'base64url').slice(0, 16)
    return {
      text: part.slice(whole.length),
      metadata: present({ section, ...metadata }),
      external_id: `${of}/${id}`,
      occurred_at: date,
      place: `Part ${++n}`,
    }
  }
  for (const token of lexer(body) as Token[]) {
    if (isHeading(token)) {
      headings.length = Math.min(headings.length, token.depth - 1)
      headings[token.depth - 1] = token.text
    } else for (const part of partsOf(token, left)) yield memoryOf(part)
  }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'
const isList = (token: Token): token is Tokens.List => token.type === 'list'

function partsOf(token: Token, left: Leftovers): string[] {
  if (isList(token)) return token.items.flatMap(({ text }) => textOf(text.trim()) ?? [])
  if (token.type === 'html') {
    left.add(token.raw.trim().startsWith('<!--') ? 'comments' : 'blocks of HTML')
    return []
  }
  if (token.type === 'def') left.add('definitions of links')
  return ['space', 'hr', 'def'].includes(token.type) ? [] : [token.raw.trim()]
}
