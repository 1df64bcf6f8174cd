import { readAddress, sourceOf } from '@memory/shared/throttle/address'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('the source of attempts', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::', '0:0:0:0'],
    ['2001:db8:1:2::6%25', '2001:db8:1:2'],
    ['[2001:DB8:1:2::6]:443', '2001:db8:1:2'],
    ['"[2001:db8:1:2::6]"', '2001:db8:1:2'],
  ])('of %s is %s', (ip, source) => {
    expect(sourceOf(ip)).toBe(source)
  })

  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::FFFF:7f00:1',
    '127.1',
    '0x7f.1',
    '[::1]:80',
    '127.0.0.1:80',
  ])('of %s is this machine', (ip) => {
    expect(sourceOf(ip)).toBeUndefined()
  })

  it.each([
    null,
    '',
    'nonsense',
    '_hidden',
    'fe',
    '1.2.3.4@5.6.7.8',
    '1.2.3.4:99999999',
    '300.1.1.1',
    '1.2.3.4.5',
    '[1.2.3.4]',
    '[::1',
    '1.2.3.4/8',
    'x127.1',
    '127.evil',
  ])('of %s is one that all such share', (ip) => {
    expect(sourceOf(ip)).toBe('unknown')
  })
})

/** Writings of one IPv4 address. */
function writingsOf(a: number, b: number, c: number, d: number): string[] {
  const hex = (n: number) => n.toString(16)
  const [high, low] = [a * 256 + b, c * 256 + d]
  const dotted = [a, b, c, d].join('.')
  const groups = `${hex(high)}:${hex(low)}`
  return [
    dotted,
    ` ${dotted} `,
    `${dotted}:1`,
    `${dotted}:65535`,
    `"${dotted}:443"`,
    String(high * 65_536 + low),
    `0x${hex(high * 65_536 + low)}`,
    [a, b, c, d].map((n) => `0x${hex(n)}`).join('.'),
    [a, b, c, d].map((n) => `0X${hex(n).toUpperCase()}`).join('.'),
    [a, b, c, d].map((n) => `0${n.toString(8)}`).join('.'),
    [a, b, low].join('.'),
    [a, b * 65_536 + low].join('.'),
    `::ffff:${dotted}`,
    `::FFFF:${dotted}`,
    `[::ffff:${dotted}]`,
    `[::ffff:${dotted}]:443`,
    `::ffff:${dotted}%eth0`,
    `::ffff:${groups}`,
    `::FFFF:${groups.toUpperCase()}`,
    `0:0:0:0:0:ffff:${groups}`,
    `0000:0000:0000:0000:0000:ffff:${dotted}`,
    `[::ffff:${groups}]:1`,
    `::ffff:0:${dotted}`,
    `::${dotted}`,
    `64:ff9b::${dotted}`,
    `64:FF9B::${groups}`,
  ]
}

it('one IPv4 address is one source, however it is written', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  // Not below 1.0.0.0: there `::a.b.c.d` is also an IPv6 address that means something else.
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 223 }).filter((n) => n !== 127),
      byte,
      byte,
      byte,
      (a, b, c, d) => {
        for (const writing of writingsOf(a, b, c, d)) {
          expect(readAddress(writing), writing).toBe(`${a}.${b}.${c}.${d}`)
          expect(sourceOf(writing), writing).toBe(`${a}.${b}.${c}.${d}`)
        }
      },
    ),
  )
})

it('one IPv6 address is one source, however it is written', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 65_535 }))
  fc.assert(
    fc.property(
      fc.integer({ min: 0x2000, max: 0x3fff }),
      fc.array(group, { minLength: 7, maxLength: 7 }),
      (first, rest) => {
        const groups = [first, ...rest]
        const full = groups.map((n) => n.toString(16).padStart(4, '0')).join(':')
        const short = readAddress(full) as string
        const tail = groups.slice(6).flatMap((n) => [n >> 8, n & 255])
        const mixed = `${groups
          .slice(0, 6)
          .map((n) => n.toString(16))
          .join(':')}:${tail.join('.')}`
        for (const writing of [
          full,
          full.toUpperCase(),
          short,
          `[${short}]`,
          `[${full}]:8443`,
          `${short}%1`,
          mixed,
        ]) {
          expect(readAddress(writing), writing).toBe(short)
        }
      },
    ),
  )
})
