import { randomBytes } from 'node:crypto'
import { ClientRefused, KnownClients } from '@memory/identity/clients/known-clients'
import { Secrets } from '@memory/shared/platform/secrets'
import { expect, it } from 'vitest'

const [before, after] = [randomBytes(32), randomBytes(32)]
/** The programs that a service with these master keys knows. */
const knownWith = (...keys: Buffer[]) =>
  new KnownClients(new Secrets(keys).deriveAll('mcp clients'), undefined)
const metadata = { client_name: 'A program', redirect_uris: ['https://client.example.com/callback'] }

it('a program stays registered while the master key is being changed, and one that registers then after that', async () => {
  const { id: old } = knownWith(before).register(metadata)
  const changing = knownWith(after, before)
  expect(await changing.find(old, null)).toMatchObject({ name: 'A program' })
  const { id: young } = changing.register(metadata)
  const changed = knownWith(after)
  expect(await changed.find(young, null)).toMatchObject({ name: 'A program' })
  await expect(changed.find(old, null)).rejects.toThrow(ClientRefused)
  await expect(changing.find(`${old}x`, null)).rejects.toThrow(ClientRefused)
})
