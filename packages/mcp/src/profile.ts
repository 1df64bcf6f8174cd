import { fence } from '@memory/shared/platform/fence'
import type { McpServer } from '@modelcontextprotocol/server'
import type { Memory } from './memory.ts'
import { lineOf } from './show.ts'

const uri = 'memory://profile'
/** Personal facts, and the newest memories, that a profile shows: about what a page has. */
const factsMax = 50
const newestMax = 10

/** A page about the space that clients may put into a conversation as a whole. */
export function registerProfile(server: McpServer, memory: Memory): void {
  const described = {
    title: 'Profile of this memory',
    description: 'The personal facts that the memory holds, by category, and what was stored last.',
    mimeType: 'text/plain',
  }
  server.registerResource('profile', uri, described, async (_, { mcpReq: { signal } }) => ({
    contents: [{ uri, mimeType: described.mimeType, text: await profileOf(memory, signal) }],
  }))
}

async function profileOf(memory: Memory, signal: AbortSignal): Promise<string> {
  const [{ count }, { important }, { patterns }] = await Promise.all([
    memory.patterns.count({}, { signal }),
    memory.text.important({ signal }),
    memory.patterns.search({ limit: newestMax, order: '-created_at' }, { signal }),
  ])
  if (count === 0) return 'The memory is empty.'
  const facts = important
    .slice(0, factsMax)
    .map(({ category, ...fact }) => `${lineOf({ ...fact, metadata: null })} (${category})`)
  const shownFacts = new Set(important.slice(0, factsMax).map(({ pattern_id }) => pattern_id))
  const newest = patterns.filter(({ pattern_id }) => !shownFacts.has(pattern_id)).map(lineOf)
  return [
    `Memories: ${count}.`,
    ...(facts.length > 0 ? ['Personal facts, the newest first:', fence(facts)] : []),
    ...(newest.length > 0 ? ['Stored last:', fence(newest)] : []),
  ].join('\n')
}
