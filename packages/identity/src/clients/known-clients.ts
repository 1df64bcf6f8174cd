import { createHmac, timingSafeEqual } from 'node:crypto'
import { isInvisible } from '@memory/shared/catalogue/invisible'
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
const Document = Metadata.extend({ client_id: z.string() })

const idPrefix = 'mcp_'
const idCharsMax = 4_096
const documentBytesMax = 8 * 1024
const documentMs = 5_000

/**
 * Programs by their ids. What registers gets an id that holds, signed, what it said of itself: nothing is stored of those that
 * anybody may register. An id that is an address leads to a document in which the program describes itself, where the settings
 * let the service look there.
 */
export class KnownClients {
  readonly #secret: Uint8Array
  readonly #gate: AddressGate | undefined

  /** @param gate decides which documents may be read; undefined for none */
  constructor(secret: Uint8Array, gate: AddressGate | undefined) {
    this.#secret = secret
    this.#gate = gate
  }

  /** Whether ids may be addresses of documents. */
  get readsDocuments(): boolean {
    return this.#gate !== undefined
  }

  /** @throws ClientRefused */
  register(metadata: unknown): KnownClient {
    const { name, redirectUris } = clientOf(Metadata, metadata)
    const said = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url')
    const id = `${idPrefix}${said}.${this.#sign(said)}`
    if (id.length > idCharsMax) throw new ClientRefused('says too much of itself')
    return { id, name, redirectUris }
  }

  /** @throws ClientRefused for an id of none */
  async find(id: string): Promise<KnownClient> {
    if (id.startsWith(idPrefix)) return this.#registered(id)
    // Plain http is the gate's to refuse: it leads into networks that the operator has opened.
    if (!/^https?:\/\//.test(id) || this.#gate === undefined) throw new ClientRefused('is not known here')
    return this.#described(id, this.#gate)
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

  async #described(id: string, gate: AddressGate): Promise<KnownClient> {
    const url = URL.canParse(id) ? new URL(id) : undefined
    if (url?.href !== id || url.pathname === '/' || url.hash !== '') {
      throw new ClientRefused('is named by an address that is no document')
    }
    let document: unknown
    try {
      const addresses = await gate.addressesOf(url)
      const signal = AbortSignal.timeout(documentMs)
      document = JSON.parse(await fetchText({ url, addresses, signal }, documentBytesMax))
    } catch (cause) {
      throw new ClientRefused('has a document that can’t be read', { cause })
    }
    const client = clientOf(Document, document)
    if ((document as { client_id: string }).client_id !== id) {
      throw new ClientRefused('has a document that names another')
    }
    // Whoever reads it sees where the document is, whatever name it gives.
    return { ...client, id, name: `${client.name} (${url.host})` }
  }

  #sign(said: string): string {
    return createHmac('sha256', this.#secret).update(said).digest('base64url')
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
  // Blanks and what is not ASCII a parser reads otherwise than it stands there.
  if (/[^\x21-\x7e]/.test(uri)) return false
  if (!URL.canParse(uri) || uri.includes('#') || dangerous.test(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol === 'http:') return isOwnMachine(hostname)
  return protocol === 'https:' ? hostname !== '' : /^[a-z][a-z\d+.-]+:$/.test(protocol)
}

const isOwnMachine = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whether a program may be sent to an address: exactly one that it named, but for the port of its own machine (RFC 8252, 7.3). */
export function mayRedirect({ redirectUris }: KnownClient, uri: string): boolean {
  if (redirectUris.includes(uri)) return true
  if (!URL.canParse(uri)) return false
  const asked = new URL(uri)
  if (asked.protocol !== 'http:' || !isOwnMachine(asked.hostname)) return false
  return redirectUris.some((each) => {
    const named = new URL(each)
    named.port = asked.port
    return named.protocol === 'http:' && named.href === asked.href
  })
}
