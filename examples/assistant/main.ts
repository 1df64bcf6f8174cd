/**
 * A chat in the terminal with an assistant that remembers.
 *
 *   npm start                       # in another terminal
 *   npm run example -- [YOUR NAME]
 */
import { createInterface } from 'node:readline/promises'
import { Failure, UsageError } from '@memory/cli/command'
import { findConnection } from '@memory/cli/connection'
import { MemoryClient, MemoryError } from 'memory-service-sdk'
import { Assistant } from './assistant.ts'

const help = `A chat in the terminal with an assistant that remembers.

  npm run example [-- YOUR_NAME]

It talks to the service at MEMORY_SERVICE_URL, or else at the PORT (8000) of this machine, with the key MEMORY_SERVICE_API_KEY, or
else with the one in MEMORY_DATA_DIR/local-api-key, which the service writes on its first start.`

const [user = 'ada'] = process.argv.slice(2)
if (user === '--help' || user === '-h') {
  console.log(help)
  process.exit()
}

/** Connects with the settings of the commands of the service. */
async function connect(): Promise<MemoryClient> {
  try {
    const { url, key } = await findConnection({}, process.env)
    // The client checks what it is given before it sends anything.
    return new MemoryClient({ apiKey: key, baseUrl: url })
  } catch (error) {
    if (!(error instanceof Failure || error instanceof UsageError || error instanceof TypeError)) throw error
    console.error(`${error.message} (--help shows more)`)
    process.exit(1)
  }
}

const assistant = new Assistant(await connect(), user)

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
