import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A database of its own for one test file, on a real PostgreSQL. */
export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** The master key of services on a real PostgreSQL. */
export const testMasterKey = Buffer.alloc(32, 7).toString('base64')

/** Whether tests run on a real PostgreSQL. */
export const onPostgres = process.env.TEST_DATABASE_URL !== undefined

/** @returns undefined where tests use the embedded database. */
export async function newDatabase(): Promise<TestDatabase | undefined> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl === undefined) return undefined
  const name = `memory_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
