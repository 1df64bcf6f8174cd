import type { Bootstrapped } from '@memory/identity/keys/bootstrap'

interface Started {
  /** Where the service answers. */
  url: string
  bootstrapped: Bootstrapped | undefined
}

/** Tells the person who started the service where it is and what to type first; standard output is the log's. */
export function welcome({ url, bootstrapped }: Started, out: NodeJS.WritableStream = process.stderr): void {
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
