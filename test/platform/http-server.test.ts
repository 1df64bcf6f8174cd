import { reachable } from '@memory/shared/platform/http-server'
import { expect, it } from 'vitest'

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['[::]', '127.0.0.1'],
  ['::1', '[::1]'],
  ['[fd00::5]', '[fd00::5]'],
  ['10.0.0.5', '10.0.0.5'],
  ['localhost', 'localhost'],
])('what listens on %s is reached from this machine at %s', (host, address) => {
  expect(reachable(host)).toBe(address)
  expect(new URL(`http://${reachable(host)}:8000/`).port).toBe('8000')
})
