import { isIPv4, isIPv6 } from 'node:net'

/**
 * What counts as one source of attempts: an IPv4 address, or the /64 network of an IPv6 address, which one subscriber
 * has whole. Undefined for this machine itself, which is exempt, because a proxy on it may stand for everybody.
 */
export function sourceOf(ip: string | null): string | undefined {
  if (ip === null) return 'unknown'
  const address = ip.split('%')[0] ?? ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const v4 = mapped ?? address
  if (isIPv4(v4)) return v4.startsWith('127.') ? undefined : v4
  if (!isIPv6(address)) return 'unknown'
  const groups = groupsOf(address)
  const isLoopback = groups.every((group, i) => group === (i === 7 ? 1 : 0))
  return isLoopback
    ? undefined
    : groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
}

/** The eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes out an IPv4 tail as two groups.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const left = read(head)
  if (tail === undefined) return left
  const right = read(tail)
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}
