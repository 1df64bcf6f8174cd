import { writeFileSync } from 'node:fs'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import openapiTS, { astToString } from 'openapi-typescript'

interface Described {
  responses: Record<string, unknown>
}

/** Types of the API as its description has them; `npm run build:types` writes them, and `npm test` compares. */
export async function renderTypes(): Promise<string> {
  const document = createOpenApi(
    routes.map((route) => route.operation),
    '',
    '/',
  )
  for (const path of Object.values(document.paths ?? {})) {
    for (const { responses } of Object.values(path) as Described[]) {
      // Errors are classes of their own, alike for all operations.
      for (const status of Object.keys(responses)) if (status >= '400') delete responses[status]
    }
  }
  const nodes = await openapiTS(document as never, {
    // What has a default may be left out.
    defaultNonNullable: false,
    alphabetize: true,
  })
  return `// Written by packages/sdk/scripts/generate.ts from the service's OpenAPI document.\n${astToString(nodes)}`
}

export const typesFile = new URL('../src/generated/openapi.ts', import.meta.url)

if (import.meta.main) writeFileSync(typesFile, await renderTypes())
