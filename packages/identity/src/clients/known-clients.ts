import { createHmac, timingSafeEqual } from 'node:crypto'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { clientDocumentAttempts } from '@memory/shared/throttle/attempts'
import type { Throttle } from '@memory/shared/throttle/throttle'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AddressGate } from '../webhooks/address-gate.ts'
import { fetchText } from '../webhooks/post.ts'

/** A program that asks users to let it in: it has no secret, PKCE and its addresses tell it apart. */
export interface KnownClient {
  id: string
  name: string
  redirectUris: readonly string[]
}

/** What a program says of itself that can't be used; the message ends a sentence that begins with "the client". */
export class ClientRefused extends Error {
  override name = 'ClientRefused'
}

const uriCharsMax = 500
/** What turns around how a line reads, such as the host behind a name, or is no letter of any. */
const misleading = /[\p{Cc}\p{Bidi_Control}]/u
const isName = (name: string) => !misleading.test(name) && !isInvisible(name)
const Metadata = z.object({
  client_name: z.string().trim().max(100).refine(isName).optional(),
  redirect_uris: z.array(z.string().max(uriCharsMax)).min(1).max(10),
  token_endpoint_auth_method: z.literal('none').optional(),
})

const idPrefix = 'mcp_'
const idCharsMax = 4_096
const documentBytesMax = 8 * 1024
const documentMs = 5_000
/** For how long what was read of a document holds, and that it could not be used. */
const documentKeptMs = 5 * 60_000
/** At most 8 KiB each. */
const documentsKept = 1_000

/** By what documents are read, which anybody may have the service do. */
export interface DocumentReading {
  /** Decides which may be read. */
  gate: AddressGate
  throttle: Throttle
}

/**
 * Programs by their ids. What registers gets an id that holds, signed, what it said of itself: nothing is stored of those that
 * anybody may register. An id that is an address leads to a document in which the program describes itself, where the settings
 * let the service look there.
 */
export class KnownClients {
  readonly #secret: Uint8Array
  readonly #reading: DocumentReading | undefined
  /** By ids; those that could not be used fail. */
  readonly #described = new LRUCache<string, Promise<KnownClient>>({
    max: documentsKept,
    ttl: documentKeptMs,
  })

  /** @param reading undefined where no documents are read */
  constructor(secret: Uint8Array, reading: DocumentReading | undefined) {
    this.#secret = secret
    this.#reading = reading
  }

  /** Whether ids may be addresses of documents. */
  get readsDocuments(): boolean {
    return this.#reading !== undefined
  }

  /** @throws ClientRefused */
  register(metadata: unknown): KnownClient {
    const { name, redirectUris } = clientOf(Metadata, metadata)
    const said = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url')
    const id = `${idPrefix}${said}.${this.#sign(said)}`
    if (id.length > idCharsMax) throw new ClientRefused('says too much of itself')
    return { id, name, redirectUris }
  }

  /**
   * @param ip who asks; null when it is not known
   * @throws ClientRefused for an id of none; ApiError too_many_attempts
   */
  async find(id: string, ip: string | null): Promise<KnownClient> {
    if (id.startsWith(idPrefix)) return this.#registered(id)
    if (!id.startsWith('https://') || this.#reading === undefined)
      throw new ClientRefused('is not known here')
    const url = URL.parse(id)
    if (url?.href !== id || url.pathname === '/' || url.hash !== '') {
      throw new ClientRefused('is named by an address that is no document')
    }
    const kept = this.#described.get(id)
    if (kept !== undefined) return kept
    const { gate, throttle } = this.#reading
    await throttle.take(clientDocumentAttempts(ip))
    const described = readDescribed(url, gate)
    this.#described.set(id, described)
    return described
  }

  #registered(id: string): KnownClient {
    const [said = '', signature = ''] = id.slice(idPrefix.length).split('.')
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#sign(said))]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new ClientRefused('is not known here')
    }
    const [name, redirectUris] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [string, string[]]
    return { id, name, redirectUris }
  }

  #sign(said: string): string {
    return createHmac('sha256', this.#secret).update(said).digest('base64url')
  }
}

/**
 * @throws ClientRefused in the same words whatever is wrong: what answers at an address, and how, is not for whoever names it to
 *   learn
 */
async function readDescribed(url: URL, gate: AddressGate): Promise<KnownClient> {
  const id = url.href
  try {
    const addresses = await gate.addressesOf(url)
    const signal = AbortSignal.timeout(documentMs)
    const document = JSON.parse(await fetchText({ url, addresses, signal }, documentBytesMax))
    const client = clientOf(Metadata.extend({ client_id: z.literal(id) }), document)
    // Whoever reads it sees where the document is, whatever name it gives.
    return { ...client, id, name: `${client.name} (${url.host})` }
  } catch (cause) {
    throw new ClientRefused('has no document at its address that describes it', { cause })
  }
}

function clientOf(schema: typeof Metadata, metadata: unknown): Omit<KnownClient, 'id'> {
  const parsed = schema.safeParse(metadata)
  if (!parsed.success)
    throw new ClientRefused('does not describe itself as a public client with redirect_uris')
  const { client_name: name = 'A program without a name', redirect_uris: redirectUris } = parsed.data
  if (!redirectUris.every(isUsable)) throw new ClientRefused('has a redirect_uri that can’t be used')
  return { name, redirectUris }
}

/** Schemes that a browser runs, or reads files by. */
const dangerous = /^(?:javascript|data|vbscript|blob|file|about|filesystem|view-source|ws|wss|ftp):/i

/** https, http to the program's own machine, or a scheme of its own (RFC 8252). */
function isUsable(uri: string): boolean {
  // Blanks, backslashes and what is not ASCII a parser reads otherwise than it stands there.
  if (/[^\x21-\x7e]|\\/.test(uri)) return false
  if (!URL.canParse(uri) || uri.includes('#') || dangerous.test(uri)) return false
  const { protocol, hostname, origin, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol !== 'http:' && protocol !== 'https:') return /^[a-z][a-z\d+.-]+:$/.test(protocol)
  // Without its slashes it would lead to a page of the service, and a host may be written in many ways.
  return uri.toLowerCase().startsWith(origin) && (protocol === 'https:' || isOwnMachine(hostname))
}

const isOwnMachine = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whether a program may be sent to an address: exactly one that it named, but for the port of its own machine (RFC 8252, 7.3). */
export function mayRedirect({ redirectUris }: KnownClient, uri: string): boolean {
  if (!isUsable(uri)) return false
  // As they are written, because so they are sent to the browser.
  if (redirectUris.includes(uri)) return true
  const asked = withoutPort(uri)
  return asked !== undefined && redirectUris.some((each) => withoutPort(each) === asked)
}

/** An address of the program's own machine as it is written, without its port; undefined for any other. */
function withoutPort(uri: string): string | undefined {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'http:' || !isOwnMachine(hostname)) return undefined
  return uri.replace(/^(http:\/\/[^/?]*?):\d{1,5}(?=[/?]|$)/, '$1')
}
