import type { ParsedLine } from './import-line.ts'
import { type Line, placeOf } from './lines.ts'

/** What would be stored of a file's lines, and what would not. */
export interface Look {
  texts: number
  vectors: number
  expired: number
  invalid: number
  /** The first lines that can't be stored, and why. */
  reasons: { place: string; reason: string }[]
  /** How often a field had a value that the service does not store, by its name. */
  dropped: Map<string, number>
  /** The first items, as the service would be sent them. */
  samples: string[]
  /** Bytes of all lines. */
  end: number
}

interface LookOptions {
  parse: (line: Line, now: number) => ParsedLine
  /** The most samples, and the most reasons, that are kept. */
  kept: number
  /** Called for each line. */
  onLine?: (line: Line) => void
}

/** Looks at all lines, and stores nothing. */
export async function lookThrough(
  lines: AsyncIterable<Line>,
  { parse, kept, onLine }: LookOptions,
): Promise<Look> {
  const look: Look = {
    ...{ texts: 0, vectors: 0, expired: 0, invalid: 0, end: 0 },
    ...{ reasons: [], dropped: new Map(), samples: [] },
  }
  for await (const line of lines) {
    look.end = line.end
    const parsed = parse(line, Date.now())
    if (parsed.kind === 'expired') look.expired++
    if (parsed.kind === 'invalid' && ++look.invalid <= kept)
      look.reasons.push({ place: placeOf(line), reason: parsed.reason })
    if (parsed.kind === 'item') {
      if (parsed.item.kind === 'text') look.texts++
      else look.vectors++
      if (look.samples.length < kept) look.samples.push(parsed.item.json)
      for (const name of parsed.dropped) look.dropped.set(name, (look.dropped.get(name) ?? 0) + 1)
    }
    onLine?.(line)
  }
  return look
}
