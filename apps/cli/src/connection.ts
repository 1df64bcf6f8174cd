import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseArgsConfig } from 'node:util'
import { ConfigError, refuseMisspelt } from '@memory/shared/platform/config'
import { MemoryClient } from 'memory-service-sdk'
import { Failure, UsageError } from './command.ts'

/** The address of the service, and the API key to use. */
export interface Connection {
  url: string
  key: string
  /** Where the key came from, for messages. */
  keySource: string
}

export const connectionOptions = {
  url: { type: 'string' },
  key: { type: 'string' },
} as const satisfies ParseArgsConfig['options']

export const connectionHelp = `  --url URL   address of the service (or MEMORY_SERVICE_URL; default http://127.0.0.1:PORT, where PORT
              is 8000 unless it is set)
  --key KEY   API key (or MEMORY_SERVICE_API_KEY; default: the key in MEMORY_DATA_DIR/local-api-key,
              which the service writes on its first start)
  --json      the result as one line of JSON on standard output, and what else is said beside it`

type Variables = Record<string, string | undefined>

/**
 * Finds the address and the key: options first, then environment variables, then the local key file.
 * The local key goes to this machine only; another address needs a key that was meant for it.
 * @throws UsageError for an option without a value, Failure
 */
export async function findConnection(
  options: { url?: string | undefined; key?: string | undefined },
  variables: Variables,
): Promise<Connection> {
  try {
    refuseMisspelt(variables)
  } catch (error) {
    throw error instanceof ConfigError ? new Failure(error.message) : error
  }
  // What a shell makes of a variable without a value was meant to name something else than this machine's service.
  for (const name of ['url', 'key'] as const)
    if (options[name] === '') throw new UsageError(`--${name} is empty.`)
  const url = options.url
    ? readUrl(options.url, '--url')
    : variables.MEMORY_SERVICE_URL
      ? readUrl(variables.MEMORY_SERVICE_URL, 'MEMORY_SERVICE_URL')
      : readUrl(`http://127.0.0.1:${variables.PORT || 8000}`, 'the address made of PORT')
  if (options.key) return { url, key: options.key, keySource: '--key' }
  if (variables.MEMORY_SERVICE_API_KEY)
    return { url, key: variables.MEMORY_SERVICE_API_KEY, keySource: 'MEMORY_SERVICE_API_KEY' }
  if (!isLoopback(url)) {
    throw new Failure(
      `No API key for ${url}: give one in MEMORY_SERVICE_API_KEY, or to a command with --key.`,
    )
  }
  return { url, ...(await readLocalKey(variables.MEMORY_DATA_DIR || './data')) }
}

/** Identifies a key in files without revealing it, by a hash. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16)
}

/** The part of a key that may be shown. */
export function keyPrefix(key: string): string {
  return `${key.slice(0, Math.min(12, Math.floor(key.length / 3)))}…`
}

/** @param from where the address was given, for messages */
function readUrl(text: string, from: string): string {
  try {
    // Sends no request: the constructor only checks the address.
    new MemoryClient({ apiKey: null, baseUrl: text })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    throw new UsageError(`The address of the service: ${cause.message.replace('baseUrl', () => from)}.`)
  }
  return text.replace(/\/+$/, '')
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)
}

async function readLocalKey(dataDir: string): Promise<Pick<Connection, 'key' | 'keySource'>> {
  const path = join(dataDir, 'local-api-key')
  try {
    return { key: (await readFile(path, 'utf8')).trim(), keySource: path }
  } catch (cause) {
    throw new Failure(
      `No API key: ${path} can't be read. Start the service once with \`npm start\`, or give a key in MEMORY_SERVICE_API_KEY, or to a command with --key.`,
      { cause },
    )
  }
}
