// A recall as somebody would write it, in the languages that the documentation has.

type Body = Record<string, unknown>

/** A text in single quotes, as a POSIX shell reads it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** JSON that is a literal of Python too. */
const pythonLiteral = (value: unknown): string => {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value === 'object') {
    const members = Object.entries(value).map(
      ([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`,
    )
    return `{${members.join(', ')}}`
  }
  return JSON.stringify(value)
}

const curl = (
  url: string,
  body: Body,
) => `curl -s ${url}/v1/memory/text/recall -H "X-API-Key: $MEMORY_SERVICE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shellQuoted(JSON.stringify(body))}`

const typescript = (url: string, body: Body) => `import { MemoryClient } from 'memory-service-sdk'

const memory = new MemoryClient({ apiKey: process.env.MEMORY_SERVICE_API_KEY, baseUrl: ${JSON.stringify(url)} })
const { results } = await memory.text.recall(${JSON.stringify(body, null, 2)})
console.log(results)`

const python = (url: string, body: Body) => `from memory_service import MemoryClient

memory = MemoryClient(base_url=${JSON.stringify(url)})
recalled = memory.text.recall(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${pythonLiteral(value)},`)
  .join('\n')}
)
print(recalled["results"])`

export const requestAs = { curl, TypeScript: typescript, Python: python } as const
