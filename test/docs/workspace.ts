import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf } from '@memory/shared/platform/http-server'
import { freePort } from '../../scripts/free-port.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A checkout with data of its own, in which the service runs. */
export interface Workspace extends AsyncDisposable {
  folder: string
  service: ServiceProcess
  /** A receiver of webhooks, which takes everything. */
  receiver: string
}

/** A folder with everything of this repository but its data. */
export function newCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-docs-'))
  for (const name of readdirSync(root)) {
    if (!['.git', '.env', 'data'].includes(name)) symlinkSync(join(root, name), join(folder, name))
  }
  return folder
}

/** A checkout, and the service started on it. */
export async function openWorkspace(settings: Record<string, string> = {}): Promise<Workspace> {
  const folder = newCheckout()
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  receiver.listen(await freePort(), '127.0.0.1')
  const service = await startService(join(folder, 'data'), {
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...settings,
  })
  return {
    folder,
    service,
    receiver: `http://127.0.0.1:${addressOf(receiver).port}`,
    [Symbol.asyncDispose]: async () => {
      await service.stop('SIGTERM')
      receiver.closeAllConnections()
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
