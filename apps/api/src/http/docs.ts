import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Express, Response } from 'express'

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css'))

/** The page's scripts and styles come from this server alone; the page needs inline styles for its diagrams. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = readFileSync(new URL('./docs.html', import.meta.url))
const script = readFileSync(new URL('./docs.client.js', import.meta.url))

/** The API reference: a page that reads `/openapi.json` and can send requests. Everything is served from here. */
export function mountDocs(app: Express): void {
  app.get('/docs', (_req, res) => {
    forBrowsers(res).type('html').send(page)
  })
  app.get('/docs/start.js', (_req, res) => {
    forBrowsers(res).type('js').send(script)
  })
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
    app.get(`/docs/${name}`, (_req, res) => {
      forBrowsers(res).sendFile(name, { root: assets, cacheControl: false })
    })
  }
}

function forBrowsers(res: Response): Response {
  res.locals.route = '/docs'
  res.setHeader('Content-Security-Policy', contentSecurityPolicy)
  res.setHeader('Cache-Control', 'public, max-age=3600')
  return res
}
