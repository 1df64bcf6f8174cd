import { isIPv4, isIPv6 } from 'node:net'

/**
 * What counts as one source of attempts: an IPv4 address, or the /64 network of an IPv6 address, which one subscriber
 * has whole. Undefined for this machine itself, which is exempt, because a proxy on it may stand for everybody.
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

/** Whether an address is this machine's own, as it calls itself. */
export const isLoopback = (ip: string | null): boolean => sourceOf(ip) === undefined

/**
 * The one way to write an address that may be written in many, as proxies and clients do in X-Forwarded-For: IPv4 with a
 * port, in hexadecimal, octal or one number, or inside IPv6; IPv6 in brackets, with a zone, capitals or zeros.
 * @returns IPv4 with dots, or IPv6 as RFC 5952 has it; undefined for what is no address
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
  // Zeros in front make a number octal, unless it can't be one.
  const decimal = address.replaceAll(/\b0+(?=\d)/g, '')
  return isIPv4(decimal) ? decimal : undefined
}

/**
 * What the 96 bits before an IPv4 address are: mapped into IPv6 (RFC 4291), translated without state (RFC 2765), compatible
 * (RFC 4291), or translated by NAT64 (RFC 6052).
 */
const beforeIPv4 = ['0:0:0:0:0:65535', '0:0:0:0:65535:0', '0:0:0:0:0:0', '100:65435:0:0:0:0']

function ipv4Inside(address: string): string | undefined {
  const groups = groupsOf(address)
  const [high = 0, low = 0] = groups.slice(6)
  // `::` and `::1` are addresses of their own.
  if (!beforeIPv4.includes(groups.slice(0, 6).join(':')) || high + (low >> 1) === 0) return undefined
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight 16-bit groups of an IPv6 address that the URL parser has written. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const left = read(head)
  if (tail === undefined) return left
  const right = read(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}
