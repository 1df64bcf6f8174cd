import { randomUUID } from 'node:crypto'
import { migratePostgres } from '@memory/shared/platform/database/postgres'
import pg from 'pg'

/** A database of its own for one test file, on a real PostgreSQL. */
export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Whether tests run on a real PostgreSQL. */
export const onPostgres = process.env.TEST_DATABASE_URL !== undefined

/** What PostgreSQL copies when nothing else is named: a database without this service's schema. */
export const bare = 'template1'

/**
 * A copy of the migrated, empty database of this run, or of another.
 * @returns undefined where tests use the embedded database
 */
export async function newDatabase(
  template = process.env.TEST_DATABASE_TEMPLATE ?? bare,
): Promise<TestDatabase | undefined> {
  const serverUrl = process.env.TEST_DATABASE_URL
  if (serverUrl === undefined) return undefined
  const name = `memory_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name} template ${template}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) }
}

/**
 * Makes the database that the workers' own are copies of: migrating each of them takes far longer.
 * @returns undefined where tests use the embedded database
 */
export async function makeTemplate(): Promise<TestDatabase | undefined> {
  const template = await newDatabase(bare)
  if (template === undefined) return undefined
  await migratePostgres(template.url)
  process.env.TEST_DATABASE_TEMPLATE = new URL(template.url).pathname.slice(1)
  return template
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
