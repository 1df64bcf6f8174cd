import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../support/until.ts'

/** Whether there is a `redis-server` to start. */
export const canStartRedis = spawnSync('redis-server', ['--version']).status === 0

/** A Redis of its own that keeps nothing on disk: what it holds is lost with it. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'memory-redis-'))
  #child: ChildProcess | undefined

  private constructor(port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    await server.restart()
    return server
  }

  /** Starts it, empty. */
  async restart(): Promise<void> {
    const settings = ['--port', String(this.#port), '--save', '', '--appendonly', 'no', '--dir', this.#folder]
    this.#child = spawn('redis-server', settings, { stdio: 'ignore' })
    await until(() => this.#ask((redis) => redis.ping()).catch(() => undefined), 'Redis')
  }

  async flush(): Promise<void> {
    await this.#ask((redis) => redis.flushall())
  }

  async kill(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
    this.#child = undefined
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await question(redis)
    } finally {
      redis.disconnect()
    }
  }
}
