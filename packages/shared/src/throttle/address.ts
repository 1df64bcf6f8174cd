import { isIPv4, isIPv6 } from 'node:net'

/**
 * The source for which attempts are counted: an IPv4 address, or the /64 network of an IPv6 address, since one subscriber usually
 * has a whole /64. Undefined for this machine itself, which is exempt, because a proxy on it may stand for everybody.
 */
export function sourceOf(ip: string | null): string | undefined {
  const address = ip === null ? undefined : readAddress(ip)
  if (address === undefined) return 'unknown'
  if (isIPv4(address)) return address.startsWith('127.') ? undefined : address
  if (address === '::1') return undefined
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** Whether an address is a loopback address. */
export const isLoopback = (ip: string | null): boolean => sourceOf(ip) === undefined

/**
 * Normalizes an IP address, which X-Forwarded-For may contain in many forms: IPv4 with a port, in hexadecimal, in octal, as one
 * number or within IPv6; IPv6 in brackets, with a zone, capital letters or zeros.
 * @returns dotted IPv4, or IPv6 by RFC 5952; undefined for text that is no address
 */
export function readAddress(text: string): string | undefined {
  const written = text.trim().replaceAll('"', '')
  const v4 = readIPv4(written)
  if (v4 !== undefined) return v4
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(written) ?? []
  const [v6 = ''] = (bracketed ?? written).split('%')
  if (!isIPv6(v6)) return undefined
  const address = new URL(`http://[${v6}]`).hostname.slice(1, -1)
  return ipv4Inside(address) ?? address
}

function readIPv4(written: string): string | undefined {
  const [, address = ''] = /^([\da-fx.]+)(?::\d{1,5})?$/i.exec(written) ?? []
  if (!/^\d/.test(address)) return undefined
  const host = URL.parse(`http://${address}`)?.hostname
  if (host !== undefined && isIPv4(host)) return host
  // The URL parser reads numbers with leading zeros as octal. Those that can't be octal, such as 009, are read as decimal.
  const decimal = address.replaceAll(/\b0+(?=\d)/g, '')
  return isIPv4(decimal) ? decimal : undefined
}

/**
 * The 96-bit prefixes of IPv4 addresses within IPv6: mapped (RFC 4291), stateless translation (RFC 2765), compatible (RFC 4291),
 * and NAT64 (RFC 6052).
 */
const beforeIPv4 = ['0:0:0:0:0:65535', '0:0:0:0:65535:0', '0:0:0:0:0:0', '100:65435:0:0:0:0']

function ipv4Inside(address: string): string | undefined {
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  // `::` and `::1` are IPv6 addresses of their own, not IPv4-compatible ones.
  if (!beforeIPv4.includes(groups.slice(0, 6).join(':')) || high + (low >> 1) === 0) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight 16-bit groups of an IPv6 address in the URL parser's form. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const left = read(head)
  if (tail === undefined) return left
  const right = read(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}
