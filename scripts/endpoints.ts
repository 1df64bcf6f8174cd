import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import type { OpenApi } from './endpoints/fields.ts'
import { renderPage } from './endpoints/render.ts'

/** Writes the tables and lists of `docs/endpoints.md` from the operations. `npm test` fails when they differ. */
const operations = routes.map(({ operation }) => operation)
const document = JSON.parse(JSON.stringify(createOpenApi(operations, '0'))) as OpenApi
const page = new URL('../docs/endpoints.md', import.meta.url)
writeFileSync(page, renderPage(readFileSync(page, 'utf8'), document, operations))
