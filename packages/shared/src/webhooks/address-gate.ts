import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, AddressRanges, isGlobal } from './special-addresses.ts'

/** Addresses of a host name. @throws when there are none */
export type Resolve = (host: string) => Promise<Address[]>

const lookupMs = 5_000

/** As the machine resolves names, `/etc/hosts` included. */
const systemResolve: Resolve = async (host) => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The host name was not resolved in time.')), lookupMs).unref()
  })
  const found = await Promise.race([lookup(host, { all: true, verbatim: true }), late])
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

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
  constructor(allowedRanges: readonly string[], resolve: Resolve = systemResolve) {
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
