import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../docs/browser.ts'
import { canStartRedis, RedisServer } from '../faults/runner/redis-server.ts'
import { newUser } from '../support/accounts.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { patience, Visitor } from './visitor.ts'

describe.runIf(browserPath !== undefined && canStartRedis)(
  'while Redis is away',
  { timeout: 3 * patience },
  () => {
    let redis: RedisServer
    let server: TestServer
    let browser: Browser
    const visitors: Visitor[] = []

    beforeAll(async () => {
      redis = await RedisServer.start()
      server = await startServer({ REDIS_URL: redis.url })
      // It does not start without.
      await redis.kill()
      browser = await startBrowser()
    }, 5 * patience)
    afterAll(async () => {
      expect(visitors.flatMap(({ wrongs }) => wrongs)).toEqual([])
      await browser?.close()
      await server?.close()
      await redis?.stop()
    })

    it.each([
      {
        language: 'en-GB',
        words: { email: 'Email address', password: 'Password', signIn: 'Sign in', queues: 'Queues and jobs' },
        said: 'The job queue does not answer: see whether the Redis that REDIS_URL names runs and can be reached.',
      },
      {
        language: 'fr-FR',
        words: {
          ...{ email: 'Adresse e-mail', password: 'Mot de passe' },
          ...{ signIn: 'Se connecter', queues: 'Files d’attente et tâches' },
        },
        said: 'La file d’attente ne répond pas\u00a0: voyez si le Redis que REDIS_URL désigne fonctionne et peut être joint.',
      },
    ])(
      'the page of queues says in $language what does not answer and what to see to, for queues and for jobs',
      async ({ language, words, said }) => {
        const { email, password } = await newUser(server, { platformAdmin: true })
        const visitor = await Visitor.arrive(browser, server.url, { language })
        visitors.push(visitor)
        await visitor.go('/operators/queues')
        await visitor.field(words.email).fill(email)
        await visitor.field(words.password).fill(password)
        await visitor.press(words.signIn)
        await visitor.heading(words.queues)
        const alerts = visitor.page.getByRole('alert').filter({ hasText: said })
        await alerts.nth(1).waitFor()
        expect(await alerts.count()).toBe(2)
        expect(await visitor.violations()).toEqual([])
      },
    )
  },
)
