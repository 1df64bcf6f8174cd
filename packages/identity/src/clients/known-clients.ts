import { createHmac } from 'node:crypto'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import { clientDocumentAttempts } from '@memory/shared/throttle/attempts'
import type { Throttle } from '@memory/shared/throttle/throttle'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AddressGate } from '../webhooks/address-gate.ts'
import { fetchText } from '../webhooks/post.ts'

/** A program that asks users for access: a public OAuth client, without a secret, identified by redirect URIs and PKCE. */
export interface KnownClient {
  id: string
  name: string
  redirectUris: readonly string[]
}

/** Thrown for a program whose metadata can't be used; the message completes a sentence that begins with "the client". */
export class ClientRefused extends Error {
  override name = 'ClientRefused'
}

const uriCharsMax = 500
/** Control characters, and those that change the direction of text, which could disguise the host shown after a name. */
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
/** How long the contents of a document are cached, and also that it could not be used. */
const documentKeptMs = 5 * 60_000
/** The most documents that are cached, each of at most 8 KiB. */
const documentsKept = 1_000

/** What is needed to read documents. Anybody can make the service do that, so it is limited. */
export interface DocumentReading {
  /** Decides which URLs may be read. */
  gate: AddressGate
  throttle: Throttle
}

/**
 * Finds programs by their ids. Since anybody may register programs, nothing is stored for them: the id of a registered program
 * contains its metadata, signed. If the settings allow it, an id may also be the URL of a document in which the program describes
 * itself.
 */
export class KnownClients {
  readonly #secrets: readonly Uint8Array[]
  readonly #reading: DocumentReading | undefined
  /** Programs described by documents, by id; rejected promises for documents that could not be used. */
  readonly #described = new LRUCache<string, Promise<KnownClient>>({
    max: documentsKept,
    ttl: documentKeptMs,
  })

  /**
   * @param secrets the first signs, a signature by any is valid
   * @param reading undefined: no documents are read
   */
  constructor(secrets: readonly Uint8Array[], reading: DocumentReading | undefined) {
    this.#secrets = secrets
    this.#reading = reading
  }

  /** Whether ids may be URLs of documents. */
  get readsDocuments(): boolean {
    return this.#reading !== undefined
  }

  /** @throws ClientRefused */
  register(metadata: unknown): KnownClient {
    const { name, redirectUris } = clientOf(Metadata, metadata)
    const said = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url')
    const [signature] = this.#signaturesOf(said)
    const id = `${idPrefix}${said}.${signature}`
    if (id.length > idCharsMax) throw new ClientRefused('says too much of itself')
    return { id, name, redirectUris }
  }

  /**
   * @param ip the address of the request; null when it is not known
   * @throws ClientRefused for the id of no program; ApiError too_many_attempts
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
    const isSigned = this.#signaturesOf(said).some((each) => isSameSecret(signature, each))
    if (!isSigned) throw new ClientRefused('is not known here')
    const [name, redirectUris] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [string, string[]]
    return { id, name, redirectUris }
  }

  #signaturesOf(said: string): string[] {
    return this.#secrets.map((secret) => createHmac('sha256', secret).update(said).digest('base64url'))
  }
}

/**
 * Reads and checks a program's document.
 * @throws ClientRefused always with the same message: whoever names a URL must not learn from it what answers there
 */
async function readDescribed(url: URL, gate: AddressGate): Promise<KnownClient> {
  const id = url.href
  try {
    const addresses = await gate.addressesOf(url)
    const signal = AbortSignal.timeout(documentMs)
    const document = JSON.parse(await fetchText({ url, addresses, signal }, documentBytesMax))
    const client = clientOf(Metadata.extend({ client_id: z.literal(id) }), document)
    // Users see the document's host after the name, which the program could choose to mislead them.
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

/** Schemes that run code, read files or have a meaning of their own in a browser. */
const dangerous = /^(?:javascript|data|vbscript|blob|file|about|filesystem|view-source|ws|wss|ftp):/i

/** Whether a redirect URI is acceptable: https, http to the program's own machine, or a scheme of its own (RFC 8252). */
function isUsable(uri: string): boolean {
  // Refused, because URL parsers change them: spaces, backslashes and anything outside ASCII.
  if (/[^\x21-\x7e]|\\/.test(uri)) return false
  if (!URL.canParse(uri) || uri.includes('#') || dangerous.test(uri)) return false
  const { protocol, hostname, origin, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol !== 'http:' && protocol !== 'https:') return /^[a-z][a-z\d+.-]+:$/.test(protocol)
  // The text must begin with the parsed origin: `https:path` would be relative to the service, and hosts have many spellings.
  return uri.toLowerCase().startsWith(origin) && (protocol === 'https:' || isOwnMachine(hostname))
}

const isOwnMachine = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whether a redirect URI is exactly one that the program registered; on its own machine the port may differ (RFC 8252, 7.3). */
export function mayRedirect({ redirectUris }: KnownClient, uri: string): boolean {
  if (!isUsable(uri)) return false
  // Compared as text, without parsing, because they are sent to the browser as text.
  if (redirectUris.includes(uri)) return true
  const asked = withoutPort(uri)
  return asked !== undefined && redirectUris.some((each) => withoutPort(each) === asked)
}

/** An http URI to the program's own machine, without its port; undefined for any other URI. */
function withoutPort(uri: string): string | undefined {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'http:' || !isOwnMachine(hostname)) return undefined
  return uri.replace(/^(http:\/\/[^/?]*?):\d{1,5}(?=[/?]|$)/, '$1')
}
