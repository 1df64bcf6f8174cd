import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Express, Request, Response } from 'express'
import { type Asset, builtAsset, sendAsset } from './asset.ts'
import { refuseWrites, sendError } from './error-answers.ts'

/** Where `npm run build:console` puts the built console. */
const built = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const pages = ['/console', '/console/', '/console/*page']

/** Links in mails lead to these top-level paths, which redirect to the console's page of the same name. */
const mailedPages = ['verify-email', 'reset-password', 'accept-invitation'] as const

/** Allows scripts and styles from this service's files only, and inline styles that carry the nonce. */
const contentSecurityPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'`

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Memory Service</title>
<p>The console is not built. Build it with <code>npm run build:console</code>, then reload this page.</p>
`

/** Mounts the web console: a single page, whose scripts choose what to show by the URL, and its assets. */
export function mountConsole(app: Express): void {
  const assetNamed = builtAssets()
  app.get('/console/assets/*path', async (req, res) => {
    res.locals.route = '/console/assets/{name}'
    const asset = assetNamed(req.params.path.join('/'))
    if (asset === undefined) sendError(res, new ApiError('not_found'))
    else await sendAsset(req, res, asset)
  })
  app.get(pages, (req, res) => {
    res.locals.route = '/console'
    sendPage(req, res)
  })
  app.all(pages, refuseWrites)
  app.get('/', (req, res, next) => {
    if (req.accepts(['json', 'html']) !== 'html') next()
    else redirect(res, '/', 'console')
  })
  for (const page of mailedPages) {
    app.get(`/${page}`, (_req, res) => redirect(res, `/${page}`, `console/${page}`))
    app.all(`/${page}`, refuseWrites)
  }
}

/**
 * Gives the console's files by name. They are listed only when the page or their folder has changed: a console may be built while
 * the service runs.
 */
function builtAssets(): (name: string) => Asset | undefined {
  const assets = new Map<string, Asset>()
  let listed = ''
  return (name) => {
    const changed = ['index.html', 'assets'].map(
      (each) => statSync(`${built}${each}`, { throwIfNoEntry: false })?.mtimeMs,
    )
    if (changed.join() !== listed) {
      listed = changed.join()
      assets.clear()
      for (const each of globSync('*.{js,css,svg}', { cwd: `${built}assets` })) {
        const type = types[each.slice(each.lastIndexOf('.') + 1)] as string
        assets.set(each, builtAsset(type, `${built}assets/${each}`))
      }
    }
    return assets.get(name)
  }
}

/**
 * Redirects to a relative URL, since a proxy may serve everything under a path prefix. Browsers keep the fragment, in which
 * links of mails have their token.
 */
function redirect(res: Response, route: string, to: string): void {
  res.locals.route = route
  res.statusCode = 302
  res.setHeader('Location', to)
  res.vary('Accept')
  res.end()
}

function sendPage(req: Request, res: Response): void {
  const file = `${built}index.html`
  const nonce = randomBytes(16).toString('base64url')
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(nonce))
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  if (!existsSync(file)) {
    res.statusCode = 503
    res.end(notBuilt)
    return
  }
  // A relative URL from this page back to the console's root, which works under any path prefix of a proxy.
  const depth = req.path.split('/').length - 2
  const base = depth === 0 ? 'console/' : depth === 1 ? './' : '../'.repeat(depth - 1)
  const page = readFileSync(file, 'utf8').replace('{{base}}', base).replace('{{nonce}}', nonce)
  res.end(page)
}
