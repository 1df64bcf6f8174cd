import { lexer, type Token, type Tokens } from 'marked'
import { hashOf } from '../hash.ts'
import { DamagedFile, type Format, type Memory } from './format.ts'
import type { Leftovers } from './leftovers.ts'
import { present, textOf } from './values.ts'

export const markdown: Format = {
  title: 'Markdown',
  takes:
    'notes such as CLAUDE.md, AGENTS.md or MEMORY.md: each point of a list and each paragraph, table or block of code is a text, its headings are `section` in the metadata (one with nothing under it is a text), and a date in front of it is `occurred_at`',
  seen: 'CommonMark with tables, as marked 18 reads it',
  // A note may begin with a link, or a date in brackets; a list or an object of JSON begins with what is in it.
  isLike: (start) => !/^\uFEFF?\s*(?:\{\s*["}]|\[\s*(?:[{["]|\]\s*$))/.test(start),
  isSurely: (start) => /^\uFEFF?(?:#{1,6} |[-*+] |---\r?\n)/m.test(start) && !/^\s*[[{]/.test(start),
  async *convert({ file, subject }, left): AsyncGenerator<Memory> {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    try {
      for await (const chunk of file.read()) text += decoder.decode(chunk, { stream: true })
      text += decoder.decode()
    } catch (error) {
      throw error instanceof TypeError ? new DamagedFile('it is not UTF-8') : error
    }
    yield* memoriesOfMarkdown(text, { of: file.name, subject, metadata: { source: file.name } }, left)
  },
}

const frontMatter = /^---\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)\r?\n/
/** The date that assistants write before what they keep: `[2026-03-01] - …`, `2026-03-01: …`. Two dates are a period, which stays. */
const leadingDate = /^\[?(\d{4}-\d{2}-\d{2})\]?\s*[-–—:]\s+(?!\s*\[?\d{4}-\d{2}-\d{2})/

/** The line break before a line that begins with a date. */
const datedLine = /\r?\n(?=\[?\d{4}-\d{2}-\d{2}\]?\s*[-–—:]\s)/

/** The date that a part begins with: all that is before its text, and the day. Empty without a date that exists. */
function leadingDateOf(part: string): [whole: string, date?: string] {
  const [whole = '', date = ''] = leadingDate.exec(part) ?? []
  const time = new Date(`${date}T00:00:00Z`)
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
  return isDay && whole !== '' ? [whole, date] : ['']
}

interface Document {
  /** Names the document, in the own ids of its parts. */
  of: string
  /** Whose it is: two people's notes of one name may say the same. */
  subject: string | undefined
  metadata: Record<string, unknown>
}

/** What a document of headings, points and paragraphs says, part by part. */
export function* memoriesOfMarkdown(
  source: string,
  { of, subject, metadata }: Document,
  left: Leftovers,
): Generator<Memory> {
  const text = source.replace(/^\uFEFF/, '')
  const body = text.replace(frontMatter, '')
  if (body.length < text.length) left.add('front matter')
  const headings: string[] = []
  let n = 0
  const memoryOf = (part: string): Memory => {
    const section = headings.filter((heading) => heading !== undefined && heading !== '').join(' > ')
    const [whole, date] = leadingDateOf(part)
    // Made of what it says, so that importing a changed file again stores nothing twice.
    const whose = subject === undefined ? '' : `${subject}\0`
    const id = hashOf(`${whose}${section}\0${part}`, 'base64url').slice(0, 16)
    return {
      text: part.slice(whole.length),
      metadata: present({ section, ...metadata }),
      external_id: `${of}/${id}`,
      occurred_at: date,
      place: `Part ${++n}`,
    }
  }
  /** The last heading, as long as nothing is under it. */
  let bare: Tokens.Heading | undefined
  function* bareHeading(): Generator<Memory> {
    if (bare === undefined) return
    headings.length = bare.depth - 1
    yield memoryOf(bare.text)
    bare = undefined
  }
  for (const token of lexer(body) as Token[]) {
    if (isHeading(token)) {
      if (bare !== undefined && token.depth <= bare.depth) yield* bareHeading()
      headings.length = Math.min(headings.length, token.depth - 1)
      headings[token.depth - 1] = token.text
      if (token.text !== '') bare = token
    } else
      for (const part of partsOf(token, left)) {
        bare = undefined
        yield memoryOf(part)
      }
  }
  yield* bareHeading()
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'
const isList = (token: Token): token is Tokens.List => token.type === 'list'

function partsOf(token: Token, left: Leftovers): string[] {
  if (isList(token))
    return token.items.flatMap(({ text, task, checked }) => {
      const said = textOf(text.trim())
      // Whether it was done is part of what it says.
      return said === undefined ? [] : [task ? `[${checked === true ? 'x' : ' '}] ${said}` : said]
    })
  if (token.type === 'html') {
    left.add(token.raw.trim().startsWith('<!--') ? 'comments' : 'blocks of HTML')
    return []
  }
  if (token.type === 'def') left.add('definitions of links')
  if (['space', 'hr', 'def'].includes(token.type)) return []
  // Assistants write what they keep as lines that begin with a date, without marks of a list.
  return token.type === 'paragraph' ? token.raw.trim().split(datedLine) : [token.raw.trim()]
}
