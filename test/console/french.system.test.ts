import { expect, it } from 'vitest'
import { accessTokenOf, arrive, asUser, inBrowser, newcomer } from './stage.ts'
import type { Visitor } from './visitor.ts'

/** Somebody who reads French, signed up. */
async function signUpInFrench(visitor: Visitor) {
  const person = newcomer()
  await visitor.go('/sign-up')
  await visitor.field('Adresse e-mail').fill(person.email)
  await visitor.field('Mot de passe').fill(person.password)
  await visitor.press('Créer le compte')
  await visitor.heading('Premiers pas')
  return person
}

inBrowser('a page in French', () => {
  it('says in French what the service refuses', async () => {
    const visitor = await arrive({ language: 'fr-FR' })
    await visitor.go('/sign-in')
    await visitor.field('Adresse e-mail').fill('nobody@example.com')
    await visitor.field('Mot de passe').fill('not the password')
    await visitor.press('Se connecter')
    const alert = visitor.page.getByRole('alert')
    await alert.getByText('Adresse e-mail ou mot de passe incorrect').waitFor()
    expect(await alert.innerText()).not.toContain('Invalid')
    // What is wrong with a field, by what kind of wrong it is.
    await visitor.page.route(/session\/register$/, (route, request) =>
      route.continue({ postData: JSON.stringify({ ...request.postDataJSON(), password: 'short' }) }),
    )
    await visitor.go('/sign-up')
    await visitor.field('Adresse e-mail').fill('somebody@example.com')
    await visitor.field('Mot de passe').fill('long enough for the page')
    await visitor.press('Créer le compte')
    await visitor.see(/^Il faut au moins \d+ caractères\.$/)
    expect(await alert.innerText()).not.toContain('password')
  })

  it('says in French which addresses webhooks may not have', async () => {
    const visitor = await arrive({ language: 'fr-FR' })
    await signUpInFrench(visitor)
    await visitor.go('/webhooks')
    await visitor.field('Adresse').fill('https://10.0.0.1/hook')
    await visitor.press('Créer le webhook')
    await visitor.see(/joindre de partout\.$/)
  })

  it('says in French that the plan allows no more, and of a file that it is of another encoding', async () => {
    const visitor = await arrive({ language: 'fr-FR' })
    await signUpInFrench(visitor)
    const { page } = visitor
    await page.route(/\/invitations$/, (route, request) =>
      request.method() === 'POST'
        ? route.fulfill({ status: 403, json: { detail: 'The free plan allows 1 member' } })
        : route.continue(),
    )
    await visitor.go('/members')
    await visitor.field('Adresse e-mail').fill('somebody@example.com')
    await visitor.press('Envoyer l’invitation')
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('La formule n’en permet pas plus').waitFor()
    await alert.getByText('La formule Free permet 1 membre, invitations en attente comprises.').waitFor()
    await visitor.go('/')
    await visitor.see(/base de données (intégrée|PostgreSQL)\./)
    await visitor.go('/data')
    await page.getByLabel('Fichier à importer').setInputFiles({
      name: 'notes.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('\ufefftext,who\nAda,eva\n', 'utf16le'),
    })
    await visitor.field('Lire comme').selectOption('CSV')
    await alert.getByText('Ce fichier ne se lit pas comme CSV').waitFor()
    await alert.getByText(/^Il n’est pas codé en UTF-8/).waitFor()
  })

  it('says in French what the organization is told, and what files are', async () => {
    const visitor = await arrive({ language: 'fr-FR' })
    const person = await signUpInFrench(visitor)
    const token = await accessTokenOf(person)
    await asUser(token, 'POST', '/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    await visitor.go('/notifications')
    const [space, anomaly] = ['l’espace de production', '«\u00a0Anomalie\u00a0»']
    await visitor.see(`Le régime de ${space} est passé de «\u00a0Normal\u00a0» à ${anomaly}.`)
    await visitor.page.getByRole('link', { name: 'Y aller\u00a0: Changement de régime' }).waitFor()
    await visitor.go('/data')
    const buffer = Buffer.from('{"text": "Ada vit à Lisbonne."}\n')
    await visitor.page
      .getByLabel('Fichier à importer')
      .setInputFiles({ name: 'notes.ndjson', mimeType: 'application/x-ndjson', buffer })
    const formats = await visitor.field('Lire comme').locator('option').allInnerTexts()
    expect(formats).toEqual(expect.arrayContaining(['un fichier d’agent Letta', 'une liste JSON', 'mem0']))
  })
})
