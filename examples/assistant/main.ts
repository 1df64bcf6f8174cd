/**
 * A chat in the terminal with an assistant that remembers.
 *
 *   npm start                       # in another terminal
 *   npm run example -- [YOUR NAME]
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { MemoryClient, MemoryError } from '@memory/sdk'
import { Assistant } from './assistant.ts'

const [user = 'ada'] = process.argv.slice(2)
const apiKey = process.env.MEMORY_API_KEY ?? readFileSync('data/local-api-key', 'utf8').trim()
const assistant = new Assistant(new MemoryClient({ apiKey, baseUrl: process.env.MEMORY_URL }), user)

const terminal = createInterface({ input: process.stdin })
const ask = () => process.stdout.write(`${user}: `)
console.log('Say something, ask about it later, or say “forget …”. An empty line ends.\n')
ask()
for await (const line of terminal) {
  if (line.trim() === '') break
  try {
    const { answer, suggestions } = await assistant.respond(line)
    console.log(`assistant: ${answer}`)
    if (suggestions.length > 0) console.log(`  (next, perhaps: ${suggestions.join(' | ')})`)
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    console.error(`  ${error.message}`)
  }
  ask()
}
terminal.close()
