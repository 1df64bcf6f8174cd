/**
 * A chat in the terminal with an assistant that remembers.
 *
 *   npm start                       # in another terminal
 *   npm run example -- [YOUR NAME]
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { MemoryClient, MemoryError } from 'memory-service-sdk'
import { Assistant } from './assistant.ts'

const help = `A chat in the terminal with an assistant that remembers.

  npm run example [-- YOUR_NAME]

It talks to the service at MEMORY_SERVICE_URL (http://127.0.0.1:8000) with the key MEMORY_SERVICE_API_KEY, or else with the one in
MEMORY_DATA_DIR/local-api-key, which the service writes on its first start.`

/** The key of the environment, or the one that the service left for this machine; undefined when there is neither. */
function readKey(): string | undefined {
  const { MEMORY_SERVICE_API_KEY, MEMORY_DATA_DIR = 'data' } = process.env
  const file = join(MEMORY_DATA_DIR, 'local-api-key')
  return MEMORY_SERVICE_API_KEY ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
}

const [user = 'ada'] = process.argv.slice(2)
if (user === '--help' || user === '-h') {
  console.log(help)
  process.exit()
}
const apiKey = readKey()
if (apiKey === undefined) {
  console.error(
    'No API key: start the service once with `npm start`, or set MEMORY_SERVICE_API_KEY. (--help shows more)',
  )
  process.exit(1)
}

/** The client checks what it is given before it sends anything. */
function connect(apiKey: string): MemoryClient {
  const { MEMORY_SERVICE_URL: baseUrl } = process.env
  try {
    return new MemoryClient({ apiKey, baseUrl: baseUrl || undefined })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`MEMORY_SERVICE_URL or the API key can't be used: ${error.message}. (--help shows more)`)
    process.exit(1)
  }
}

const assistant = new Assistant(connect(apiKey), user)

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
