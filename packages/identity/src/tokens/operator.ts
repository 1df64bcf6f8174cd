import type { Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { z } from 'zod'
import { listSigningKeys, retireSigningKey, rotateSigningKey } from './rotate-signing-keys.ts'

/** What an operator may ask about the keys of access tokens, at the terminal or through the operators' listener. */
export const SigningKeyRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('list-signing-keys') }),
  z.object({ command: z.literal('rotate-signing-key') }),
  z.object({ command: z.literal('retire-signing-key'), kid: z.string().min(1) }),
])

export type SigningKeyRequest = z.output<typeof SigningKeyRequest>

/** A key as operators see it; times in ISO 8601. */
export interface ShownKey {
  kid: string
  state: 'next' | 'signs' | 'verifies' | 'retired'
  signsFrom: string
  signsUntil: string | null
  retiredAt: string | null
}

export type SigningKeyAnswer =
  | { command: 'list-signing-keys'; keys: ShownKey[] }
  | { command: 'rotate-signing-key'; kid: string; signsFrom: string }
  | { command: 'retire-signing-key'; retired: boolean }

/** Does what the operator asks. */
export async function operateSigningKeys(
  { queries, secrets }: { queries: Queries; secrets: Secrets },
  request: SigningKeyRequest,
): Promise<SigningKeyAnswer> {
  const { command } = request
  switch (command) {
    case 'list-signing-keys': {
      const keys = await listSigningKeys(queries)
      return {
        command,
        keys: keys.map(({ kid, state, signs_from, signs_until, retired_at }) => ({
          kid,
          state,
          signsFrom: signs_from.toISOString(),
          signsUntil: signs_until?.toISOString() ?? null,
          retiredAt: retired_at?.toISOString() ?? null,
        })),
      }
    }
    case 'rotate-signing-key': {
      const { kid, signsFrom } = await rotateSigningKey({ queries, secrets })
      return { command, kid, signsFrom: signsFrom.toISOString() }
    }
    case 'retire-signing-key':
      return { command, retired: await retireSigningKey(queries, request.kid) }
  }
}
