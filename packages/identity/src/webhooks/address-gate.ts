import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, AddressRanges, isGlobal } from './special-addresses.ts'

/** Finds the addresses of a host name. @throws when there are none */
export type Resolve = (host: string) => Promise<Address[]>

/**
 * Resolves names by asking the name servers, without `/etc/hosts` and search domains. The system's own lookup would occupy one of
 * libuv's few threads until it ends, so names whose servers never answer could block everything else.
 * @param servers the name servers; by default the machine's
 * @param timeout how long to wait for a server's first answer, in ms
 */
export function resolveByDns(servers?: readonly string[], timeout = 2_000): Resolve {
  const resolver = new Resolver({ timeout, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    // Connections only go to addresses found here, so a failure for one family (IPv4 or IPv6) is harmless.
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...addresses(v4, 4), ...addresses(v6, 6)]
  }
}

const addresses = (found: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []

/** Why nothing is sent to a URL, in the form of logs. */
export type Refusal =
  | 'credentials'
  | 'not https'
  | 'port 0'
  | 'no host name'
  | 'no full name'
  | 'not public'
  | 'does not resolve'

const sentences: Record<Refusal, string> = {
  credentials: 'must not contain a user name or a password',
  'not https': 'must use https',
  'port 0': 'must not name port 0, to which nobody can connect',
  'no host name':
    'must have a host name whose parts, between the dots, have 1 to 63 characters, and 253 in all',
  'no full name': 'must have a full host name, with a dot',
  'not public': 'must lead to a public address',
  'does not resolve': 'has a host name that does not resolve now',
}

/** Thrown for a URL to which nothing may be sent; the message completes a sentence that begins with "the URL". */
export class TargetRefused extends Error {
  override name = 'TargetRefused'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(sentences[refusal])
    this.refusal = refusal
  }
}

/**
 * Decides to which addresses webhooks may be sent: to public ones over https, and to those ranges of the operator's own network
 * that the settings allow. Everything that it does not recognize is refused.
 */
export class AddressGate {
  readonly #allowed: AddressRanges
  readonly #hasAllowed: boolean
  readonly #resolve: Resolve

  /** @param allowedRanges ranges that are allowed although they are not public; http is allowed there too */
  constructor(allowedRanges: readonly string[], resolve: Resolve = resolveByDns()) {
    this.#allowed = new AddressRanges(allowedRanges)
    this.#hasAllowed = allowedRanges.length > 0
    this.#resolve = resolve
  }

  /**
   * Checks a URL when it is configured. A host name that does not resolve now is accepted, since it is resolved and checked
   * again for each connection. One that can only be a private name is refused.
   * @returns whether its host resolves
   * @throws TargetRefused
   */
  async admit(url: URL): Promise<boolean> {
    try {
      await this.addressesOf(url)
      return true
    } catch (error) {
      if (error instanceof TargetRefused && error.refusal === 'does not resolve') return false
      throw error
    }
  }

  /**
   * Resolves the URL's host to its current addresses, all of which are allowed. The error for a host that is not public does not
   * give its addresses, since they would reveal the operator's network.
   * @throws TargetRefused
   */
  async addressesOf(url: URL): Promise<Address[]> {
    if (url.username !== '' || url.password !== '') throw new TargetRefused('credentials')
    // Without allowed ranges, plain http is refused for every host.
    const isHttp = url.protocol === 'http:'
    if (url.protocol !== 'https:' && !(isHttp && this.#hasAllowed)) throw new TargetRefused('not https')
    if (url.port === '0') throw new TargetRefused('port 0')
    const addresses = await this.#find(url.hostname.replace(/^\[(.*)\]$/, '$1'))
    const areAllowed = addresses.every((each) => this.#allowed.has(each))
    if (isHttp && !areAllowed) throw new TargetRefused('not https')
    if (!addresses.every((each) => isGlobal(each) || this.#allowed.has(each))) {
      throw new TargetRefused('not public')
    }
    return addresses
  }

  /** @returns at least one address @throws TargetRefused for a name without any, or with an invalid one */
  async #find(host: string): Promise<Address[]> {
    const literal = isIP(host)
    if (literal !== 0) return [{ address: host, family: literal === 4 ? 4 : 6 }]
    // Always this machine, whatever name servers say (RFC 6761).
    if (isBelow(host, 'localhost')) return [{ address: '127.0.0.1', family: 4 }]
    if (!isDomainName(host)) throw new TargetRefused('no host name')
    // A name server that fails or does not answer is treated like one that does not know the name: it may be temporary.
    const found = await this.#resolve(host).catch(() => [])
    if (found.length === 0) {
      if (this.#hasAllowed) throw new TargetRefused('does not resolve')
      if (!/\.[^.]/.test(host)) throw new TargetRefused('no full name')
      const isPrivate = privateDomains.some((domain) => isBelow(host, domain))
      throw new TargetRefused(isPrivate ? 'not public' : 'does not resolve')
    }
    // An address with a zone (`%`) names a network interface of this machine.
    const isSound = found.every(({ address, family }) => isIP(address) === family && !address.includes('%'))
    if (!isSound) throw new TargetRefused('not public')
    return found
  }
}

/**
 * Domains that no public name server knows: RFC 6762, RFC 8375, and `internal`, which ICANN reserves for private use. Names
 * without a dot are private too.
 */
const privateDomains = ['local', 'internal', 'home.arpa']

const isBelow = (host: string, domain: string): boolean =>
  `.${host}`.replace(/\.$/, '').endsWith(`.${domain}`)

/** Whether a host is a valid domain name: labels of 1 to 63 characters, 253 characters in all (RFC 1035). */
const isDomainName = (host: string): boolean =>
  host.replace(/\.$/, '').length <= 253 && /^(?:[^.]{1,63}\.)*[^.]{1,63}\.?$/.test(host)
