/** A fenced block of a page. */
export interface Block {
  language: string
  code: string
  /** Where its fence stands, from 1. */
  line: number
  /** Why it can't be run here, from a comment `<!-- not run: … -->` right above the fence. */
  notRun: string | undefined
}

const fence = /^( *)```(\w*)$/
const mark = /^<!-- not run: (.+) -->$/

/**
 * The fenced blocks of a markdown page, in order.
 * @throws for a fence that is not closed, and for a mark that stands above nothing
 */
export function readBlocks(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, indent, language = ''] = fence.exec(lines[i] as string) ?? []
    if (indent === undefined) {
      if (mark.test(lines[i] as string) && !fence.test(lines[i + 1] ?? '')) {
        throw new Error(`Line ${i + 1}: the mark does not stand right above a block.`)
      }
      continue
    }
    const end = lines.indexOf(`${indent}\`\`\``, i + 1)
    if (end === -1) throw new Error(`Line ${i + 1}: the block is not closed.`)
    const code = lines
      .slice(i + 1, end)
      .map((line) => line.slice(indent.length))
      .join('\n')
    blocks.push({ language, code, line: i + 1, notRun: mark.exec(lines[i - 1] ?? '')?.[1] })
    i = end
  }
  return blocks
}

/** Lines that markdown would render as code although no fence says so: they could not be checked. */
export function findIndentedCode(markdown: string): string[] {
  const prose = markdown.replaceAll(/^( *)```\w*\n[\s\S]*?^\1```$/gm, '')
  return [...prose.matchAll(/\n\n( {4}\S.*)/g)].map(([, line]) => line as string)
}
