import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Express } from 'express'
import { type Asset, assetOf, sendAsset } from './asset.ts'
import { refuseWrites } from './error-answers.ts'

/** The page's scripts and styles come from this server alone; the page needs inline styles for its diagrams. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'))
const own = (name: string) => () => readFileSync(new URL(`./${name}`, import.meta.url))
const ofSwaggerUi = (name: string) => () => readFileSync(join(swaggerUi, name))

/** The files of the reference page, by path. Links between them are relative, since a proxy may serve them under a path prefix. */
const assets: Record<string, Asset> = {
  '/docs': assetOf('text/html; charset=utf-8', own('docs.html')),
  '/docs/start.js': assetOf('text/javascript; charset=utf-8', own('docs.client.js')),
  '/docs/page.css': assetOf('text/css; charset=utf-8', own('docs.css')),
  '/docs/swagger-ui.css': assetOf('text/css; charset=utf-8', ofSwaggerUi('swagger-ui.css')),
  '/docs/swagger-ui-bundle.js': assetOf(
    'text/javascript; charset=utf-8',
    ofSwaggerUi('swagger-ui-bundle.js'),
  ),
  '/docs/favicon-32x32.png': assetOf('image/png', ofSwaggerUi('favicon-32x32.png')),
}

/** The API reference: a page that reads `/openapi.json` and can send requests. Everything is served from here. */
export function mountDocs(app: Express): void {
  for (const [path, asset] of Object.entries(assets)) {
    app.get(path, async (req, res) => {
      res.locals.route = '/docs'
      res.setHeader('Content-Security-Policy', contentSecurityPolicy)
      await sendAsset(req, res, asset)
    })
    app.all(path, refuseWrites)
  }
}
