import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@memory/api/routes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contracted } from '../../scripts/endpoints/contract.ts'
import type { OpenApi } from '../../scripts/endpoints/fields.ts'
import { notes } from '../../scripts/endpoints/notes.ts'
import { added, compare, renderPage } from '../../scripts/endpoints/render.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { root } from './workspace.ts'

const operations = routes.map(({ operation }) => operation)
let server: TestServer
let served: OpenApi

beforeAll(async () => {
  server = await startServer()
  served = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi
})

afterAll(() => server.close())

it('is what /openapi.json says; else `npm run docs:endpoints` writes it anew', () => {
  const page = readFileSync(join(root, 'docs/endpoints.md'), 'utf8')
  expect(page).toBe(renderPage(page, served, operations))
})

it('knows each operation of the specification once, and notes only such', () => {
  const names = contracted.map(({ method, path }) => `${method} ${path}`)
  expect(names).toHaveLength(85)
  expect(new Set(names).size).toBe(85)
  expect(Object.keys(notes).filter((name) => !names.includes(name))).toEqual([])
})

it('sees an operation, a field and a status that are not as they were', () => {
  const changed = structuredClone(served)
  const { paths } = changed
  const of = (operation: string) => compare(changed).find((each) => each.operation === operation)
  delete paths['/v1/memory/text/embed']
  expect(of('POST /v1/memory/text/embed')?.status).toBe('missing')

  const schemas = changed.components?.schemas ?? {}
  for (const schema of Object.values(schemas)) delete schema.properties?.storage_bytes
  expect(of('GET /v1/memory/text/stats')).toMatchObject({
    status: 'differs',
    how: ['Does not answer `storage_bytes`.'],
  })

  const important = paths['/v1/memory/text/important']?.get
  if (important?.responses['200'] === undefined) throw new Error('There is no such operation.')
  important.responses = { 201: important.responses['200'] }
  expect(of('GET /v1/memory/text/important')?.how).toContain('Answers 201 instead of 200.')

  paths['/v1/memory/dreams'] = { get: { summary: 'What was dreamt', responses: {} } }
  expect(added(changed)).toContainEqual({ operation: 'GET /v1/memory/dreams', summary: 'What was dreamt' })
})
