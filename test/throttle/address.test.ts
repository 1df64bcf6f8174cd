import { sourceOf } from '@memory/shared/throttle/address'
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
    ['::2', '0:0:0:0'],
  ])('of %s is %s', (ip, source) => {
    expect(sourceOf(ip)).toBe(source)
  })

  it.each(['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'])(
    'of %s is this machine',
    (ip) => {
      expect(sourceOf(ip)).toBeUndefined()
    },
  )

  it.each([null, '', 'nonsense', '1.2.3', '127.evil'])('of %s is one that all such share', (ip) => {
    expect(sourceOf(ip)).toBe('unknown')
  })
})
