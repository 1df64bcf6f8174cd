import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import { limits } from '@memory/shared/catalogue/limits'
import { expect, it } from 'vitest'
import { newPasswordChars } from '../../apps/console/src/parts/new-password.ts'
import { forgetThreshold } from '../../apps/console/src/searches.ts'

const folder = fileURLToPath(new URL('../../apps/console/src', import.meta.url))

it('does what a button or a key asks for by way of what does it once, however fast it is pressed', () => {
  const direct = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((path) =>
    /\.mutate\b/.test(readFileSync(`${folder}/${path}`, 'utf8')),
  )
  expect(direct).toEqual([])
})

it('offers those thresholds that the service forgets by', () => {
  const { components } = createOpenApi(
    routes.map(({ operation }) => operation),
    '',
  )
  expect(components?.schemas?.ForgetTextsRequest).toMatchObject({
    properties: {
      threshold: {
        minimum: forgetThreshold.least,
        default: forgetThreshold.usual,
        maximum: forgetThreshold.most,
      },
    },
  })
})

it('asks for as long a password as the service does', () => {
  expect(newPasswordChars).toBe(limits.passwordChars)
})
