import type { Bootstrapped } from '@memory/shared/organizations/bootstrap'

interface Started {
  host: string
  port: number
  bootstrapped: Bootstrapped | undefined
}

/** Tells a person at the terminal where the service is and what to type first. Nothing for logs and pipes. */
export function welcome(
  { host, port, bootstrapped }: Started,
  out: NodeJS.WriteStream = process.stdout,
): void {
  const url = `http://${host}:${port}`
  const lines = [`Memory Service is ready at ${url} (API reference: ${url}/docs).`]
  if (bootstrapped !== undefined) {
    lines.push(
      `Your API key is in ${bootstrapped.keyFile}. A first memory:`,
      '',
      `  curl -s ${url}/v1/memory/text/store -H "X-API-Key: $(cat ${bootstrapped.keyFile})" \\`,
      `    -H 'Content-Type: application/json' -d '{"text": "Ada moved to Lisbon in May."}'`,
    )
  }
  out.write(`\n${lines.join('\n')}\n\n`)
}
