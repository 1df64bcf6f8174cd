import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '@memory/shared/platform/backup/backup-folder'
import { expect, it } from 'vitest'
import {
  accessTokenOf,
  arrive,
  asUser,
  folder,
  inBrowser,
  local,
  newcomer,
  operator,
  type Person,
  service,
  signOperatorIn,
  signUp,
} from './stage.ts'

/** Registers somebody apart from any browser. @returns who, with their ids */
async function registered(organization: string): Promise<Person & { id: string; organizationId: string }> {
  const person = newcomer()
  const response = await fetch(`${service.url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...person, organization_name: organization }),
  })
  const { user_id: id, organization_id: organizationId } = (await response.json()) as Record<string, string>
  return { ...person, id: id as string, organizationId: organizationId as string }
}

const as = async (person: Person) => {
  const token = await accessTokenOf(person)
  return async (path: string, method = 'GET') => (await asUser(token, method, path)).json()
}

inBrowser(
  'the pages of operators',
  () => {
    it('are named to platform admins alone, and say to others that they are not for them', async () => {
      const visitor = await arrive()
      await signUp(visitor)
      const menu = visitor.page.getByRole('navigation', { name: 'Pages' })
      await menu.getByRole('link', { name: 'Account' }).waitFor()
      expect(await menu.getByRole('link', { name: 'Users' }).count()).toBe(0)
      await visitor.go('/operators/users')
      await visitor.heading('403: these pages are for operators')
      await visitor.press('To the overview', 'link')
      await visitor.heading('Overview')

      const mine = await operator('/')
      await mine.page.getByRole('link', { name: 'Users' }).click()
      await mine.heading('Users')
    })

    it('find an organization by its name, change its plan and change it back', async () => {
      const ada = await registered('Quarry <b>of</b> Ada')
      await registered('Quarry of Ben')
      const visitor = await operator('/operators/organizations')
      const { page } = visitor
      await visitor.field('Part of the name, or the id').fill('quarry <b>')
      await visitor.press('Search')
      const row = page.getByRole('row', { name: /Quarry <b>of<\/b> Ada/ })
      await row.waitFor()
      expect(visitor.path).toContain('search=quarry')
      await page.getByRole('row', { name: /Quarry of Ben/ }).waitFor({ state: 'detached' })
      await page.reload()
      await row.getByRole('button', { name: 'Change the plan' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Plan', { exact: true }).selectOption('starter')
      await dialog.getByRole('row', { name: 'API keys 5' }).waitFor()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('Changed from enterprise to starter.').waitFor()
      const read = await as(ada)
      const planOf = async () => (await read(`/v1/organizations/${ada.organizationId}`)).plan
      expect(await planOf()).toBe('starter')
      await row.getByRole('button', { name: 'Undo' }).click()
      await row.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
      expect(await planOf()).toBe('enterprise')
      await row.getByRole('link', { name: '1' }).click()
      await visitor.heading('Users')
      await page.getByRole('link', { name: ada.email }).waitFor()
      expect(await page.getByRole('row').count()).toBe(2)
    })

    it('suspend a user with a reason, activate, and restore one who was deleted', async () => {
      const ben = await registered('Of Ben')
      const before = await as(ben)
      const visitor = await operator(`/operators/users?search=${ben.email}`)
      const row = visitor.page.getByRole('row', { name: new RegExp(ben.email) })
      await row.getByRole('button', { name: 'Suspend' }).click()
      const dialog = visitor.page.getByRole('dialog')
      await dialog.getByLabel('Reason').fill('Sent spam')
      await dialog.getByRole('button', { name: 'Suspend' }).click()
      await row.getByText('Suspended').waitFor()
      expect(await before('/v1/users/me')).toHaveProperty('detail')
      await row.getByRole('button', { name: 'Activate' }).click()
      await row.getByRole('button', { name: 'Suspend' }).waitFor()
      const after = await as(ben)
      const { entries } = await after('/v1/security/audit-log?action=account_suspended')
      expect(entries).toMatchObject([{ details: { reason: 'Sent spam' } }])

      await after('/v1/users/me', 'DELETE')
      await visitor.go(`/operators/users?status=deleted&search=${ben.email}`)
      await row.getByRole('link', { name: ben.email }).click()
      await visitor.heading('User')
      await visitor.press('Restore')
      await visitor.page.getByRole('button', { name: 'Suspend' }).waitFor()
      expect((await (await as(ben))('/v1/users/me')).email).toBe(ben.email)
    })

    it('show the jobs of each queue by state, of which what comes by itself waits', async () => {
      const visitor = await operator('/operators/queues')
      await visitor.see('Jobs wait in the embedded database. The service does them itself.')
      await visitor.page.getByRole('link', { name: /^Chores, Later: \d+$/ }).click()
      const jobs = visitor.page.getByRole('table', { name: 'Chores: Later' })
      await jobs.getByText('purge-audit-log').waitFor()
      await jobs.getByText('Due').first().waitFor()
      expect(visitor.path).toContain('queue=chores')
      // By itself: the schedule of spaces comes each minute at the latest.
      const asked = visitor.page.waitForResponse(/\/v1\/admin\/queues$/)
      await asked
      await visitor.field('Refresh by itself').uncheck()
    })

    it('say how the service is, in figures that it has measured', async () => {
      const visitor = await operator('/operators/health')
      await visitor.heading('Health')
      const ready = (await (await fetch(`${service.url}/readyz`)).json()) as { version: string }
      const row = (name: string) => visitor.page.getByRole('row', { name })
      await row('Status Ready').waitFor()
      await row(`Version ${ready.version}`).waitFor()
      await row('Redis None is set: jobs wait in the database').waitFor()
      const free = await row('Disk of the data folder').innerText()
      expect(free).toMatch(/[\d.,]+ [MGT]B free of [\d.,]+ [GT]B/)
    })

    it('list the backups in the folder of backups, and name one that is damaged', async () => {
      const visitor = await operator('/operators/backups')
      await visitor.see('There are no backups in it.')
      const { page } = visitor
      const place = join(folder, 'backups')
      const made = await makeBackup(
        {
          target: join(place, 'memory-<b>1'),
          database: 'postgres',
          dataDir: join(folder, 'data'),
          onStep: () => {},
        },
        async (file) => {
          writeFileSync(file, Buffer.alloc(1_500))
          const tables = { 'app.patterns': 1_234 }
          return { serverVersion: '18.1', migration: '0123-x.sql', masterKeys: [], tables }
        },
      )
      await page.reload()
      const row = page.getByRole('row', { name: /memory-<b>1/ })
      await row.getByText('All files are there.').waitFor()
      await row.getByText('1.5 kB').waitFor()
      await row.getByText('1,234').waitFor()
      rmSync(join(made.folder, 'database.dump'))
      await page.reload()
      await row.getByText('database.dump is missing').waitFor()
      rmSync(place, { recursive: true })
      writeFileSync(place, '')
      await page.reload()
      await page.getByRole('alert').getByText('set MEMORY_BACKUP_DIR to a folder').waitFor()
      rmSync(place)
    })

    it('list the receipts of what was erased, of all or of one organization', async () => {
      const receipts = []
      for (const text of ['Ada has asthma.', 'Ben is diabetic.']) {
        await local.post('/v1/memory/text/store', { text, metadata: { of: text } })
        const { body } = await local.post('/v1/memory/text/forget', { filter: { of: text } })
        receipts.push(body.receipt)
      }
      const visitor = await operator('/operators/receipts')
      const { page } = visitor
      await page.getByRole('row').nth(2).waitFor()
      await page.getByRole('row').nth(1).getByText('1 memory').waitFor()
      expect(await page.getByRole('main').innerText()).not.toMatch(/asthma|diabetic/)
      await page.getByRole('row').nth(1).getByRole('button', { name: 'Show' }).click()
      const shown = await page.getByRole('region', { name: 'Receipt' }).innerText()
      expect(shown.trim()).toBe(receipts[1])
      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('row').nth(1).getByRole('link').click()
      await visitor.see(/^Those of the organization [\da-f-]{36} only\.$/)
      await visitor.press('All receipts')
      await page.getByText(/^Those of the organization/).waitFor({ state: 'detached' })
    })
  },
  { before: signOperatorIn },
)
