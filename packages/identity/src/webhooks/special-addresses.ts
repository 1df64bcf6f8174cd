import { BlockList } from 'node:net'

/**
 * IPv4 that is not globally reachable: IANA IPv4 Special-Purpose Address Registry (RFC 6890 and its updates), multicast
 * (RFC 5771) and what is reserved, broadcast in it. 192.0.0.0/24 and 192.88.99.0/24 whole, although single addresses of
 * them can be reached: nobody receives there.
 */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Global unicast IPv6. What lies outside (loopback, IPv4-mapped, NAT64, unique local, link-local, multicast ...) needs no
 * naming.
 */
const globalIPv6 = ['2000::/3']

/**
 * Within that, not reachable or leading elsewhere: IANA IPv6 Special-Purpose Address Registry. 2001::/23 (protocol
 * assignments, Teredo among them), documentation, and 6to4, which hides an IPv4 address.
 */
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Ranges of addresses, compared as bytes. IPv4 and IPv6 apart: an IPv4-mapped address is no IPv4 address here. */
export class AddressRanges {
  readonly #v4 = new BlockList()
  readonly #v6 = new BlockList()

  /** @param ranges in CIDR notation, or single addresses */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [address = '', bits] = range.split('/')
      if (address.includes(':')) this.#v6.addSubnet(address, Number(bits ?? 128), 'ipv6')
      else this.#v4.addSubnet(address, Number(bits ?? 32), 'ipv4')
    }
  }

  has({ address, family }: Address): boolean {
    return family === 4 ? this.#v4.check(address, 'ipv4') : this.#v6.check(address, 'ipv6')
  }
}

export interface Address {
  address: string
  family: 4 | 6
}

const special = new AddressRanges([...specialIPv4, ...specialIPv6])
const unicast = new AddressRanges(globalIPv6)

/** Whether an address can be anybody's on the Internet. */
export function isGlobal(address: Address): boolean {
  return (address.family === 4 || unicast.has(address)) && !special.has(address)
}
