import { AddressGate, type Resolve } from '@memory/identity/webhooks/address-gate'
import { textOf } from '@memory/identity/webhooks/post'
import { type Address, isGlobal } from '@memory/identity/webhooks/special-addresses'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const address = (text: string): Address => ({ address: text, family: text.includes(':') ? 6 : 4 })

const refused = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1'],
  ...['192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:1.1.1.1', '::ffff:0:1.1.1.1'],
  ...['64:ff9b::1.1.1.1', '64:ff9b:1::1', '100::1', '2001::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
  ...['3fff::1', '5f00::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1', '1fff::1'],
]
const global = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2000::1', '2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2606:4700::1111', '2a00::1'],
]

describe('W4 addresses', () => {
  it.each(refused)('%s is not global', (text) => expect(isGlobal(address(text))).toBe(false))
  it.each(global)('%s is global', (text) => expect(isGlobal(address(text))).toBe(true))

  it('are compared as numbers, as an independent reading of the ranges says', () => {
    const ranges = [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ] as const
    const numberOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    const inside = (n: number) =>
      ranges.some(([from, bits]) => n >= numberOf(from) && n < numberOf(from) + 2 ** (32 - bits))
    const near = fc
      .constantFrom(...ranges)
      .chain(([from, bits]) =>
        fc.constantFrom(-1, 0, 1, 2 ** (32 - bits) - 1, 2 ** (32 - bits)).map((by) => numberOf(from) + by),
      )
    const numbers = fc.oneof(near, fc.nat(2 ** 32 - 1)).filter((n) => n >= 0 && n < 2 ** 32)
    fc.assert(
      fc.property(numbers, (n) => {
        const text = [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.')
        expect(isGlobal(address(text)), text).toBe(!inside(n))
      }),
      { numRuns: 2_000 },
    )
  })
})

const open = (gate: AddressGate, url: string) => gate.addressesOf(new URL(url))
const resolvingTo =
  (...texts: string[]): Resolve =>
  async () =>
    texts.map(address)

const failsWith =
  (code: string): Resolve =>
  async () => {
    throw Object.assign(new Error(`query ${code}`), { code })
  }
const unresolved: [string, Resolve][] = [
  ['its name has no address', resolvingTo()],
  ...['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EREFUSED'].map(
    (code): [string, Resolve] => [`name servers say ${code}`, failsWith(code)],
  ),
]

describe('W4 a URL', () => {
  const strict = new AddressGate([], resolvingTo('1.1.1.1', '2606:4700::1111'))

  it('that is public passes, with every address that its host has', async () => {
    expect(await open(strict, 'https://hooks.example.com:8443/a?b')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await open(strict, 'https://[2606:4700::1111]/')).toEqual([
      { address: '2606:4700::1111', family: 6 },
    ])
  })

  it.each([
    'http://hooks.example.com/',
    'http://1.1.1.1/',
    'ftp://hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://user:password@hooks.example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.0.0.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data',
    'https://１２７.０.０.１/',
  ])('%s is refused', async (url) => {
    await expect(open(strict, url)).rejects.toThrow(/^must /)
  })

  it.each([
    ['one of its addresses is private', ['1.1.1.1', '10.0.0.1']],
    ['its address is IPv4-mapped', ['::ffff:1.1.1.1']],
    ['it has a zone', ['fe80::1%lo']],
    ['its answer is no address', ['localhost']],
  ])('is refused when %s', async (_what, texts) => {
    await expect(open(new AddressGate([], resolvingTo(...texts)), 'https://a.example/')).rejects.toThrow(
      'must lead to a public address',
    )
  })

  it.each(unresolved)('is told from one that is not public when %s', async (_what, resolve) => {
    const gate = new AddressGate([], resolve)
    await expect(open(gate, 'https://a.example/')).rejects.toThrow('does not resolve')
    await expect(open(gate, 'https://10.0.0.1/')).rejects.toThrow('must lead to a public address')
  })

  it('may lead to ranges that are opened, over http too, and to those alone', async () => {
    const ranges = ['10.0.0.0/8', 'fd00::/8']
    const to = (...texts: string[]) => new AddressGate(ranges, resolvingTo(...texts))
    expect(await open(to('10.1.2.3'), 'http://a.internal/')).toHaveLength(1)
    expect(await open(to('fd00::1', '10.0.0.1'), 'http://a.internal/')).toHaveLength(2)
    expect(await open(to('10.0.0.1', '1.1.1.1'), 'https://a.internal/')).toHaveLength(2)
    await expect(open(to('10.0.0.1', '1.1.1.1'), 'http://a.internal/')).rejects.toThrow('https')
    await expect(open(to('10.0.0.1', '192.168.0.1'), 'https://a.internal/')).rejects.toThrow('public')
    await expect(open(to('::ffff:10.0.0.1'), 'https://a.internal/')).rejects.toThrow('public')
    await expect(open(to(), 'https://127.0.0.1/')).rejects.toThrow('public')
    await expect(open(to(), 'http://a.internal/')).rejects.toThrow('does not resolve')
    await expect(open(to('10.0.0.1'), 'https://u:p@a.internal/')).rejects.toThrow('user name')
  })
})

describe('what is admitted before anything is sent', () => {
  const admit = (gate: AddressGate, url: string) => gate.admit(new URL(url))

  it.each(unresolved)('is a URL for which %s', async (_what, resolve) => {
    const gate = new AddressGate([], resolve)
    for (const host of ['a.example', 'a.example.', 'a.example:8443', 'bücher.example', 'host.invalid']) {
      expect(await admit(gate, `https://${host}/hook`), host).toBe(false)
    }
    await expect(admit(gate, 'http://a.example/')).rejects.toThrow('https')
    await expect(admit(gate, 'https://u:p@a.example/')).rejects.toThrow('user name')
  })

  it('is a URL that is public now', async () => {
    expect(await admit(new AddressGate([], resolvingTo('1.1.1.1')), 'https://a.example/')).toBe(true)
  })

  const home = [
    ...[
      'localhost',
      'localhost.',
      'LOCALHOST',
      'a.localhost',
      'a.b.localhost.',
      '%6c%6fcalhost',
      'ⓛocalhost',
    ],
    ...['printer.local', 'printer.local.', 'metadata.google.internal', 'x.INTERNAL.', 'nas.home.arpa'],
    ...['redis', 'postgres.', 'localhost..', 'a..example', `${'a'.repeat(64)}.example`],
    `${'a.'.repeat(127)}example`,
  ]
  it.each(home)('is not the host %s, which never is public', async (host) => {
    for (const [, resolve] of unresolved) {
      await expect(admit(new AddressGate([], resolve), `https://${host}:8443/`)).rejects.toThrow(
        /public address|host name/,
      )
    }
  })

  it('is a private name that may lead to ranges which are opened, by plain http too', async () => {
    const gate = new AddressGate(['10.0.0.0/8'], resolvingTo())
    for (const url of ['http://redis:6379/', 'https://printer.local/', 'http://a.internal/']) {
      expect(await admit(gate, url), url).toBe(false)
    }
    await expect(admit(gate, 'http://localhost/')).rejects.toThrow('must')
  })

  it('is no address of another network, however it is written', async () => {
    const gate = new AddressGate([], failsWith('ENOTFOUND'))
    const writings = fc.constantFrom(
      (n: number) => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.'),
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
      (n: number) => `${Math.floor(n / 2 ** 24)}.${n % 2 ** 24}`,
      (n: number) => `0x${Math.floor(n / 2 ** 24).toString(16)}.0${(n % 2 ** 24).toString(8)}.`,
      (n: number) => `[::ffff:${Math.floor(n / 2 ** 16).toString(16)}:${(n % 2 ** 16).toString(16)}]`,
      (n: number) => `[64:ff9b::${Math.floor(n / 2 ** 16).toString(16)}:${(n % 2 ** 16).toString(16)}]`,
    )
    const privates = fc.oneof(
      fc.nat(2 ** 24 - 1).map((n) => 127 * 2 ** 24 + n),
      fc.nat(2 ** 24 - 1).map((n) => 10 * 2 ** 24 + n),
      fc.nat(2 ** 16 - 1).map((n) => 0xc0a80000 + n),
      fc.nat(2 ** 16 - 1).map((n) => 0xa9fe0000 + n),
    )
    await fc.assert(
      fc.asyncProperty(privates, writings, async (n, write) => {
        await expect(admit(gate, `https://${write(n)}/`)).rejects.toThrow('must lead to a public address')
      }),
      { numRuns: 300 },
    )
  })
})

describe('the beginning of an answer', () => {
  it('is what fits of its text, exactly', () => {
    expect(textOf(Buffer.from('{"ok": true}\r\n\t\u001b[31m'))).toBe('{"ok": true}\r\n\t\u001b[31m')
    expect(textOf(Buffer.from('\uFEFFa'))).toBe('\uFEFFa')
    expect(textOf(Buffer.alloc(0))).toBe('')
    // The last character is cut by the end of what is kept.
    expect(textOf(Buffer.from(`${'a'.repeat(1022)}é€`).subarray(0, 1024))).toBe(`${'a'.repeat(1022)}é`)
    expect(textOf(Buffer.from(`${'a'.repeat(1022)}😀`).subarray(0, 1024))).toBe('a'.repeat(1022))
    expect(textOf(Buffer.from('a\0b'))).toBe('a\uFFFDb')
    expect(textOf(Buffer.from([0x61, 0xff, 0xc3, 0x28]))).toBe('a\uFFFD\uFFFD(')
  })

  it('is well formed, without NUL and of 1 KiB at most, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1024, size: 'max' }), (bytes) => {
        const text = textOf(bytes)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toContain('\0')
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
      }),
      { numRuns: 500 },
    )
  })
})
