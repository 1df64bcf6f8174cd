import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, AddressRanges, isGlobal } from './special-addresses.ts'

/** Addresses of a host name. @throws when there are none */
export type Resolve = (host: string) => Promise<Address[]>

/**
 * Asks the name servers, without `/etc/hosts` and search domains. The system's own lookup holds one of the few threads
 * of the process until it ends, so names whose servers never answer would hold up everything else.
 * @param servers the machine's unless given
 */
export function resolveByDns(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
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

/** A URL that nothing is sent to; the message ends a sentence that begins with "the URL". */
export class TargetRefused extends Error {
  override name = 'TargetRefused'
}

/**
 * Decides where webhooks may lead: to global addresses over https, and to the operator's own networks as far as the
 * settings open them. What it does not understand it refuses.
 */
export class AddressGate {
  readonly #allowed: AddressRanges
  readonly #resolve: Resolve

  /** @param allowedRanges open although they are not global; there http is fine too */
  constructor(allowedRanges: readonly string[], resolve: Resolve = resolveByDns()) {
    this.#allowed = new AddressRanges(allowedRanges)
    this.#resolve = resolve
  }

  /**
   * Every address that the URL's host has now, each of which may be connected to. Why a host is refused is not told: it
   * would say what there is within the operator's network.
   * @throws TargetRefused
   */
  async addressesOf(url: URL): Promise<Address[]> {
    if (url.username !== '' || url.password !== '') {
      throw new TargetRefused('must not contain a user name or a password')
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TargetRefused('must use https')
    const addresses = await this.#find(url.hostname.replace(/^\[(.*)\]$/, '$1'))
    const allowed = this.#areAllowed(addresses)
    if (url.protocol === 'http:' && !allowed) throw new TargetRefused('must use https')
    const open = allowed || addresses.every((each) => isGlobal(each) || this.#allowed.has(each))
    if (addresses.length === 0 || !open) throw new TargetRefused('must lead to a public address')
    return addresses
  }

  #areAllowed(addresses: readonly Address[]): boolean {
    return addresses.length > 0 && addresses.every((each) => this.#allowed.has(each))
  }

  /** @returns nothing for a host that does not resolve, or whose answer holds what is no address */
  async #find(host: string): Promise<Address[]> {
    const literal = isIP(host)
    if (literal !== 0) return [{ address: host, family: literal === 4 ? 4 : 6 }]
    // Of this machine whatever name servers say (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(host)) return [{ address: '127.0.0.1', family: 4 }]
    try {
      const found = await this.#resolve(host)
      // A zone names an interface of this machine.
      const sound = found.every(({ address, family }) => isIP(address) === family && !address.includes('%'))
      return sound ? found : []
    } catch {
      return []
    }
  }
}
