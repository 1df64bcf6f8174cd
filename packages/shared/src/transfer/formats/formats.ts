import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import type { Format } from './format.ts'
import { hindsight } from './hindsight.ts'
import { langgraph } from './langgraph.ts'
import { letta } from './letta.ts'
import { markdown } from './markdown.ts'
import { mem0 } from './mem0.ts'
import { csv, json } from './table.ts'
import { zep } from './zep.ts'

/** Formats of other products, by what `--from` calls them. */
export const formats = {
  mem0,
  chatgpt,
  claude,
  letta,
  hindsight,
  langgraph,
  zep,
  markdown,
  csv,
  json,
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats

export const formatNames = Object.keys(formats) as FormatName[]

/** The formats that take a mapping of columns. */
export const tables: readonly FormatName[] = ['csv', 'json']

/** The format of a file, by how it begins: a product's own before those that many files may have. */
export const looksLike = (start: string): FormatName | undefined =>
  formatNames.find((name) => {
    const format: Format = formats[name]
    return format.isSurely?.(start) ?? format.isLike(start)
  })
