import { writeFileSync } from 'node:fs'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import openapiTS, { astToString } from 'openapi-typescript'

interface Described {
  parameters?: object[]
  responses: Record<string, { headers?: unknown }>
}

/** Types of the API as its description has them; `npm run build:types` writes them, and `npm test` compares. */
export async function renderTypes(): Promise<string> {
  const document = createOpenApi(
    routes.map((route) => route.operation),
    '',
  )
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path) as Described[]) {
      // Errors are classes of their own, alike for all operations.
      for (const [status, response] of Object.entries(operation.responses)) {
        if (status >= '400') delete operation.responses[status]
        else delete response.headers
      }
      // What all operations share, the client sends by itself.
      operation.parameters = operation.parameters?.filter((parameter) => !('$ref' in parameter)) ?? []
    }
  }
  const { parameters, headers, ...components } = document.components ?? {}
  document.components = components
  const nodes = await openapiTS(document as never, {
    // What has a default may be left out.
    defaultNonNullable: false,
    alphabetize: true,
  })
  return `// Written by packages/sdk/scripts/generate.ts from the service's OpenAPI document.\n${astToString(nodes)}`
}

export const typesFile = new URL('../src/generated/openapi.ts', import.meta.url)

if (import.meta.main) writeFileSync(typesFile, await renderTypes())
