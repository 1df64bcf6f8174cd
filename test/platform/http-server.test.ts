import { reachable, requirePorts } from '@memory/shared/platform/http-server'
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

it('a port that is to be listened on twice is refused, with both settings, and is free afterwards', async () => {
  // An address of this machine that nobody else uses.
  const host = '127.77.13.5'
  const port = { port: 8_123, host, setting: 'PORT' }
  const operators = { ...port, setting: 'OPS_PORT' }
  await expect(requirePorts([port, operators])).rejects.toThrow(
    'PORT and OPS_PORT are both 8123: set OPS_PORT to another port.',
  )
  await expect(requirePorts([{ ...port, host: '0.0.0.0' }, operators])).rejects.toThrow('are both 8123')
  await requirePorts([port, { ...operators, host: '127.77.13.6' }])
  await requirePorts([
    { ...port, port: 0 },
    { ...operators, port: 0 },
  ])
  await requirePorts([port, { ...operators, port: 8_124 }])
  await requirePorts([port])
})
