import { consoleLinkMinutes } from '@memory/identity/accounts/console-links'
import type { Bootstrapped } from '@memory/identity/keys/bootstrap'

interface Started {
  /** Where the service answers. */
  url: string
  bootstrapped: Bootstrapped | undefined
  /** Signs whoever started a local service in to the console. */
  consoleLink: string | undefined
  /** Whether there is no organization yet, so that nobody has a key. */
  needsOrganization: boolean
  /** Whether background work needs a worker, since this process does none. */
  needsWorker: boolean
}

const newOrganization = '  npm run keys -- create --new-organization "My organization" --name first'

/** Tells the person who started the service where it is and what to type first; standard output is the log's. */
export function welcome(
  { url, bootstrapped, consoleLink, needsOrganization, needsWorker }: Started,
  out: NodeJS.WritableStream = process.stderr,
): void {
  const lines = [`Memory Service is ready at ${url} (console: ${url}/console, API reference: ${url}/docs).`]
  if (consoleLink !== undefined) {
    lines.push(
      `Open the console on this machine, once within ${consoleLinkMinutes} minutes:`,
      '',
      `  ${consoleLink}`,
      '',
    )
  }
  if (bootstrapped !== undefined && 'refusal' in bootstrapped) {
    lines.push(
      `The local organization has no API key. ${bootstrapped.refusal} Or make another organization, with a key of its own:`,
      '',
      newOrganization,
      '',
    )
  } else if (bootstrapped !== undefined) {
    lines.push(
      `Your API key is in ${bootstrapped.keyFile}. A first memory:`,
      '',
      `  curl -s ${url}/v1/memory/text/store -H "X-API-Key: $(cat ${bootstrapped.keyFile})" \\`,
      `    -H 'Content-Type: application/json' -d '{"text": "Ada moved to Lisbon in May."}'`,
    )
  }
  if (needsOrganization) {
    lines.push(
      'There is no organization yet. The next step is one, and an API key for it:',
      '',
      newOrganization,
      '',
    )
  }
  if (needsWorker) lines.push('Mails, webhooks and other background work need a worker: npm run worker')
  out.write(`\n${lines.join('\n')}\n\n`)
}
