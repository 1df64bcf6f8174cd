import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, AddressRanges, isGlobal } from './special-addresses.ts'

/** Addresses of a host name. @throws when there are none */
export type Resolve = (host: string) => Promise<Address[]>

/**
 * Asks the name servers, without `/etc/hosts` and search domains. The system's own lookup holds one of the few threads
 * of the process until it ends, so names whose servers never answer would hold up everything else.
 * @param servers the machine's unless given
 * @param timeout milliseconds that a server has for its first answer
 */
export function resolveByDns(servers?: readonly string[], timeout = 2_000): Resolve {
  const resolver = new Resolver({ timeout, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    // Connections go to what was found alone, so a family that has no answer opens nothing.
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...addresses(v4, 4), ...addresses(v6, 6)]
  }
}

const addresses = (found: PromiseSettledResult<string[]>, family: 4 | 6): Address[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []

/** Why nothing is sent to a URL, as it stands in logs. */
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

/** A URL that nothing is sent to; the message ends a sentence that begins with "the URL". */
export class TargetRefused extends Error {
  override name = 'TargetRefused'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(sentences[refusal])
    this.refusal = refusal
  }
}

/**
 * Decides where webhooks may lead: to global addresses over https, and to the operator's own networks as far as the
 * settings open them. What it does not understand it refuses.
 */
export class AddressGate {
  readonly #allowed: AddressRanges
  readonly #hasAllowed: boolean
  readonly #resolve: Resolve

  /** @param allowedRanges open although they are not global; there http is fine too */
  constructor(allowedRanges: readonly string[], resolve: Resolve = resolveByDns()) {
    this.#allowed = new AddressRanges(allowedRanges)
    this.#hasAllowed = allowedRanges.length > 0
    this.#resolve = resolve
  }

  /**
   * Checks a URL before anything is to be sent to it. A host name that does not resolve now passes, because each
   * connection asks again; one that can only ever lead to a private network does not.
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
   * Every address that the URL's host has now, each of which may be connected to. What a host that is not public
   * resolves to is not told: it would say what there is within the operator's network.
   * @throws TargetRefused
   */
  async addressesOf(url: URL): Promise<Address[]> {
    if (url.username !== '' || url.password !== '') throw new TargetRefused('credentials')
    // Outside the ranges that are opened plain http leads nowhere, wherever the host is.
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

  /** @returns one or more. @throws TargetRefused for a name that has none, or whose answer holds what is no address */
  async #find(host: string): Promise<Address[]> {
    const literal = isIP(host)
    if (literal !== 0) return [{ address: host, family: literal === 4 ? 4 : 6 }]
    // Of this machine whatever name servers say (RFC 6761).
    if (isBelow(host, 'localhost')) return [{ address: '127.0.0.1', family: 4 }]
    if (!isDomainName(host)) throw new TargetRefused('no host name')
    // A name server that is silent or fails is like one that knows no such name: another time it may know.
    const found = await this.#resolve(host).catch(() => [])
    if (found.length === 0) {
      if (this.#hasAllowed) throw new TargetRefused('does not resolve')
      if (!/\.[^.]/.test(host)) throw new TargetRefused('no full name')
      const isPrivate = privateDomains.some((domain) => isBelow(host, domain))
      throw new TargetRefused(isPrivate ? 'not public' : 'does not resolve')
    }
    // A zone names an interface of this machine.
    const isSound = found.every(({ address, family }) => isIP(address) === family && !address.includes('%'))
    if (!isSound) throw new TargetRefused('not public')
    return found
  }
}

/**
 * Domains that no public name server has: RFC 6762, RFC 8375, and `internal`, which ICANN keeps for private use. Nor has
 * any a name without a dot.
 */
const privateDomains = ['local', 'internal', 'home.arpa']

const isBelow = (host: string, domain: string): boolean =>
  `.${host}`.replace(/\.$/, '').endsWith(`.${domain}`)

/** Whether name servers can be asked for it: labels of 1 to 63 characters, 253 in all (RFC 1035). */
const isDomainName = (host: string): boolean =>
  host.replace(/\.$/, '').length <= 253 && /^(?:[^.]{1,63}\.)*[^.]{1,63}\.?$/.test(host)
