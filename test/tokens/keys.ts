import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import type { TestServer } from '../support/server.ts'

/** The parts of a JWT, read. */
export function partsOf(token: string): {
  header: Record<string, unknown>
  payload: Record<string, unknown>
} {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, payload }
}

/** The service's own private key that a token was signed with, to make tokens that only their contents betray. */
export async function privateKeyOf(server: TestServer, kid: string): Promise<KeyObject> {
  const { queries, secrets } = server.context.accounts
  return createPrivateKey(Buffer.from(await openKey(queries, secrets, kid)))
}

async function openKey(queries: Queries, secrets: Secrets, kid: string): Promise<Uint8Array> {
  const row = await asTask(queries, 'keep-secrets', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('signing_keys')
      .select('private_key')
      .where('kid', '=', kid)
      .executeTakeFirstOrThrow(),
  )
  return secrets.open(row.private_key, { purpose: 'signing-key', id: kid })
}

/** A token with these parts in place of the given one's, signed with the service's own key. */
export async function resign(
  server: TestServer,
  token: string,
  changed: { header?: Record<string, unknown>; payload?: Record<string, unknown> },
): Promise<string> {
  const { header, payload } = partsOf(token)
  const key = await privateKeyOf(server, header.kid as string)
  return new SignJWT({ ...payload, ...changed.payload })
    .setProtectedHeader({ ...header, ...changed.header } as { alg: string })
    .sign(key)
}

/** A token with a text in place of its claims, signed with the service's own key: JSON that no serialiser writes. */
export async function resignText(server: TestServer, token: string, claims: string): Promise<string> {
  const [header = ''] = token.split('.')
  const key = await privateKeyOf(server, partsOf(token).header.kid as string)
  const signed = `${header}.${Buffer.from(claims).toString('base64url')}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** Moves what is stored about keys into the past. */
export function passSeconds(queries: Queries, seconds: number): Promise<void> {
  return asTask(queries, 'keep-secrets', async (trx) => {
    await sql`update app.signing_keys set
      signs_from = signs_from - make_interval(secs => ${seconds}),
      signs_until = signs_until - make_interval(secs => ${seconds}),
      retired_at = retired_at - make_interval(secs => ${seconds})`.execute(trx)
  })
}
