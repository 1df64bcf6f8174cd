import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Check } from '@memory/shared/ops/check'
import { type Config, ConfigError, isLoopbackHost } from '@memory/shared/platform/config'
import { reserveBytes } from '@memory/shared/platform/database/disk-reserve'
import { listen, reachable } from '@memory/shared/platform/http-server'
import { openToOthers } from '@memory/shared/platform/private-folders'
import { packageVersion } from '@memory/shared/platform/version'
import { isInUse } from '../operator.ts'

/** Whether every variable that looks like a setting is one, and links in mails lead to where the service listens. */
export function checkSettings(config: Config): Check {
  const name = 'settings'
  if (config.unknown.length > 0) {
    return {
      name,
      state: 'warn',
      text: `${config.unknown.join(', ')} is set, and no setting is called so.`,
      remedy: 'Compare the spelling with docs/settings.md, or unset it.',
    }
  }
  const { host, publicBaseUrl } = config.http
  if (!isLoopbackHost(host) && publicBaseUrl === undefined) {
    return {
      name,
      state: 'warn',
      text: `The service listens on ${host}, and links in mails lead to this machine.`,
      remedy: 'Set PUBLIC_BASE_URL to the https address that clients use.',
    }
  }
  return { name, state: 'ok', text: 'The settings are understood.' }
}

const nodeLeast = 24

/** The versions of the release and of Node.js. */
export function checkVersions(): Check {
  const name = 'versions'
  const text = `Memory Service ${packageVersion()} on Node.js ${process.versions.node}, ${process.platform} ${process.arch}.`
  if (Number.parseInt(process.versions.node, 10) >= nodeLeast) return { name, state: 'ok', text }
  const remedy = `Run the commands with npm, which takes the Node.js of the installation, or install Node.js ${nodeLeast}.`
  return { name, state: 'fail', text, remedy }
}

/** Whether this user may write to the data folder, and other users have no rights to it. */
export function checkRights(dataDir: string): Check {
  const name = 'rights'
  const folder = nearest(dataDir)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return {
      name,
      state: 'fail',
      text: `This user may not write to ${folder}.`,
      remedy: `Run the service as the owner of ${folder}, change its rights, or set MEMORY_DATA_DIR to another folder.`,
    }
  }
  const [first, ...others] = openToOthers(dataDir)
  if (first === undefined) {
    return {
      name,
      state: 'ok',
      text: `${dataDir} can be written to, and what is in it is closed to other users.`,
    }
  }
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return {
    name,
    state: 'warn',
    text: `Other users of this machine have rights to ${first.path}${more}.`,
    remedy: first.isOwn
      ? 'Start the service, which takes them away.'
      : `Let the owner of ${first.path} run chmod ${first.mode.toString(8)} on it.`,
  }
}

/** Whether there is room on the disk of the data folder. */
export function checkDisk(dataDir: string): Check {
  const name = 'disk'
  const { bavail, bsize } = statfsSync(nearest(dataDir))
  const [free, least] = [bavail * bsize, reserveBytes].map((bytes) => Math.floor(bytes / 2 ** 20)) as [
    number,
    number,
  ]
  const text = `${free.toLocaleString('en-US')} MiB are free on the disk of ${dataDir}.`
  const remedy = `Free some space, or set MEMORY_DATA_DIR to a folder on another disk: with less than ${least} MiB nothing is written.`
  if (free < least) return { name, state: 'fail', text, remedy }
  if (free < 4 * least) return { name, state: 'warn', text, remedy }
  return { name, state: 'ok', text }
}

/** Whether the ports are free, or the service of the data folder (as far as that can be known) answers there. */
export async function checkPorts({ http, database, dataDir }: Config): Promise<Check> {
  const name = 'ports'
  // Processes that share a PostgreSQL may each have their own data folder.
  const mayRun = database.url !== undefined || isInUse(dataDir)
  const wanted = [
    { setting: 'PORT', port: http.port, host: http.host },
    { setting: 'OPS_PORT', port: http.opsPort ?? 0, host: http.opsHost },
  ].filter(({ port }) => port !== 0)
  const found: string[] = []
  for (const { setting, port, host } of wanted) {
    if (await isService(host, port)) {
      if (!mayRun) {
        const text = `A Memory Service answers on port ${port}, and none runs in ${resolve(dataDir)}: it is that of another folder.`
        return { name, state: 'fail', text, remedy: `Stop it, or set ${setting} to another port.` }
      }
      found.push(`the service answers on port ${port}`)
    } else {
      const problem = await tryPort(port, host, setting)
      if (problem !== undefined) return { name, state: 'fail', text: problem, remedy: problem }
      found.push(`port ${port} is free`)
    }
  }
  const text = found.length === 0 ? 'Any free port is taken.' : `${found.join(', ')}.`
  return { name, state: 'ok', text: text[0]?.toUpperCase() + text.slice(1) }
}

async function isService(host: string, port: number): Promise<boolean> {
  try {
    const url = `http://${reachable(host)}:${port}/healthz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return answer.ok && ((await answer.json()) as { status?: string }).status === 'ok'
  } catch {
    return false
  }
}

/** Why a port can't be listened on; undefined when it can. */
async function tryPort(port: number, host: string, setting: string): Promise<string | undefined> {
  const server = createServer()
  try {
    await listen(server as Parameters<typeof listen>[0], port, host, setting)
    await new Promise((done) => server.close(done))
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** The folder, or where it is not there yet the one that it will be made in. */
function nearest(dataDir: string): string {
  let folder = resolve(dataDir)
  while (!existsSync(folder)) folder = dirname(folder)
  return folder
}
