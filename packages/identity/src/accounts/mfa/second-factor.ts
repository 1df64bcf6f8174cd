import { recordAudit } from '@memory/shared/audit/audit'
import type { Origin } from '@memory/shared/catalogue/operation'
import type { Trx } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { newToken } from '../../tokens/single-use-token.ts'
import type { AccountsContext } from '../context.ts'
import * as store from '../mfa-store.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/** What a sign-in presents together with the password, or in a later request. */
export interface SecondFactorInput {
  /** Six digits. */
  mfaCode?: string | null | undefined
  recoveryCode?: string | null | undefined
  /** The hash of the token of the challenge that it answers, if any. */
  challenge?: Uint8Array | undefined
}

/** The outcome of checking a second factor. `missing`: a new challenge was begun; `over`: the challenge has ended. */
export type SecondFactor =
  | { outcome: 'passed' }
  | { outcome: 'missing'; mfaToken: string }
  | { outcome: 'wrong' }
  | { outcome: 'over' }

/**
 * Checks the second factor of a user, if they have one. The user must be the transaction's tenant, and locked. After `wrong` the
 * transaction must be committed, so that the attempt counts.
 */
export async function passSecondFactor(
  context: Pick<AccountsContext, 'secrets' | 'clock'>,
  trx: Trx,
  user: { id: string; email: string },
  { mfaCode, recoveryCode, challenge }: SecondFactorInput,
  origin: Origin,
): Promise<SecondFactor> {
  const { id: userId } = user
  if (challenge !== undefined && !(await store.takeChallengeAttempt(trx, userId, challenge))) {
    return { outcome: 'over' }
  }
  const factor = await store.findFactor(trx, userId)
  if (factor === undefined || factor.confirmed_at === null) return { outcome: 'passed' }
  if (mfaCode == null && recoveryCode == null) {
    const { token, hash } = newToken('mfa')
    await store.insertChallenge(trx, userId, hash)
    return { outcome: 'missing', mfaToken: token }
  }
  const passed =
    mfaCode == null
      ? await useRecoveryCode(trx, user, recoveryCode ?? '', origin)
      : await useCode(context, trx, userId, factor, mfaCode)
  if (!passed) return { outcome: 'wrong' }
  if (challenge !== undefined) await store.closeChallenge(trx, userId, challenge)
  return { outcome: 'passed' }
}

async function useCode(
  { secrets, clock }: Pick<AccountsContext, 'secrets' | 'clock'>,
  trx: Trx,
  userId: string,
  factor: store.Factor,
  code: string,
): Promise<boolean> {
  const step = stepOfCode(openSeed(secrets, userId, factor.secret), code, clock.now())
  return step !== undefined && (await store.useStep(trx, userId, step))
}

/** Uses up a recovery code. @returns whether the code was valid */
export async function useRecoveryCode(
  trx: Trx,
  { id: userId, email }: { id: string; email: string },
  code: string,
  origin: Origin,
): Promise<boolean> {
  const left = await store.useRecoveryCode(trx, userId, hashRecoveryCode(code))
  if (left === undefined) return false
  await recordAudit(trx, {
    action: 'mfa_recovery_used',
    actor: { kind: 'user', userId, email },
    origin,
    userId,
    details: { codes_left: left },
  })
  return true
}

export const sealSeed = (secrets: Secrets, userId: string, seed: string): Uint8Array =>
  secrets.seal(new TextEncoder().encode(seed), { purpose: 'totp-seed', id: userId })

export const openSeed = (secrets: Secrets, userId: string, sealed: Uint8Array): string =>
  new TextDecoder().decode(secrets.open(sealed, { purpose: 'totp-seed', id: userId }))
