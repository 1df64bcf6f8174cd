import { serialize } from 'pg-protocol'
import { Parser } from 'pg-protocol/dist/parser'
import { FairTurns, type Leave } from '../fair-turns.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { EmbeddedSession } from './embedded-session.ts'
import { embeddedReaderOf, quoteIdentifier, toParameter } from './pg-values.ts'

/** The rows of a statement, and how many rows a change affected. */
export interface StatementResult<Row> {
  rows: Row[]
  affectedRows: number | undefined
}

/** Ends a transaction. @returns `durable` resolves when its changes are on the disk; it is undefined when it changed nothing */
export type EndTransaction = (how: 'commit' | 'rollback') => Promise<{ durable: Promise<void> | undefined }>

/** A prepared statement, and how to read its columns. */
interface Prepared {
  name: string
  columns: { name: string; read: (text: string) => unknown }[]
}

/** Those messages of PostgreSQL's protocol that are read here. */
interface Messages {
  rowDescription: { name: 'rowDescription'; fields: { name: string; dataTypeID: number }[] }
  dataRow: { name: 'dataRow'; fields: (string | null)[] }
  commandComplete: { name: 'commandComplete'; text: string }
  notification: { name: 'notification'; channel: string; payload: string }
}

/** The most prepared statements. Only statements with generated texts could exceed it; those are then run unprepared. */
const preparedMax = 500

/**
 * Runs statements in the one session of an embedded database. Each is prepared once, which halves the time of authentication.
 * A statement outside a transaction waits until the open transaction has ended.
 */
export class EmbeddedStatements {
  readonly #session: EmbeddedSession
  readonly #reserve: Pick<DiskReserve, 'isLow'>
  readonly #turns = new FairTurns({ slots: 1, letsContinue: true })
  readonly #prepared = new Map<string, Prepared>()
  readonly #parser = new Parser()
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  /** Commits that were answered but are not on the disk yet. */
  readonly #notDurable = new Set<Promise<void>>()
  /** Messages that are sent together with the next statement. */
  #ahead: Uint8Array | undefined
  /**
   * The session's `default_transaction_read_only`. Undefined until it is set here: another object may have used the session
   * before and changed it.
   */
  #isReadOnly: boolean | undefined

  /** @param reserve watches the disk that the database is on */
  constructor(session: EmbeddedSession, reserve: Pick<DiskReserve, 'isLow'>) {
    this.#session = session
    this.#reserve = reserve
  }

  /** Waits for the session, to run a transaction in it. @returns a function that gives the session back */
  async enter(): Promise<Leave> {
    const leave = await this.#turns.enter()
    try {
      await this.#keepReserve()
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** To be called before each transaction: while the disk is nearly full, new transactions are read-only. */
  async #keepReserve(): Promise<void> {
    const { isLow } = this.#reserve
    if (isLow === this.#isReadOnly) return
    this.#isReadOnly = isLow
    // Not prepared: another object may have prepared a statement of the same name in this session.
    await this.#send([serialize.query(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`)], false)
  }

  /**
   * Begins a transaction, in the session acquired by `enter`. The BEGIN is sent together with its first statement.
   */
  begin(): EndTransaction {
    this.#ahead = serialize.query('begin')
    return async (how) => {
      try {
        const { durable } = await this.#prepareAndExecute(how, [], true)
        return { durable }
      } catch (error) {
        await this.#prepareAndExecute('rollback', [])
        throw error
      }
    }
  }

  /** Runs a statement in the open transaction; or by itself when none is open, and waits until its change is on the disk. */
  async run<Row>(
    text: string,
    parameters: readonly unknown[],
    isInTransaction: boolean,
  ): Promise<StatementResult<Row>> {
    if (isInTransaction) return this.#prepareAndExecute<Row>(text, parameters)
    const leave = await this.enter()
    let result: Executed<Row>
    try {
      result = await this.#prepareAndExecute<Row>(text, parameters, true)
    } finally {
      leave()
    }
    // The session is free already: others go on while this commit reaches the disk.
    await result.durable
    return result
  }

  /** Runs several statements without parameters together, when no transaction is open. */
  async exec(statements: string): Promise<void> {
    const leave = await this.enter()
    try {
      await this.#send([serialize.query(statements)], false)
    } finally {
      leave()
    }
  }

  /** Resolves when every commit that a statement may have seen so far is on the disk. */
  async durable(): Promise<void> {
    if (this.#notDurable.size > 0) await Promise.all(this.#notDurable)
  }

  /** Calls `onNotify` for each NOTIFY on the channel until the returned function is called. */
  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const identifier = quoteIdentifier(channel)
    let listeners = this.#listeners.get(channel)
    if (listeners === undefined) {
      listeners = new Set()
      this.#listeners.set(channel, listeners)
      await this.exec(`listen ${identifier}`)
    }
    listeners.add(onNotify)
    return async () => {
      listeners.delete(onNotify)
      if (listeners.size > 0 || this.#session.isClosed) return
      this.#listeners.delete(channel)
      await this.exec(`unlisten ${identifier}`)
    }
  }

  async #prepareAndExecute<Row>(
    text: string,
    parameters: readonly unknown[],
    putsOff = false,
  ): Promise<Executed<Row>> {
    const known = this.#prepared.get(text)
    if (known === undefined && this.#prepared.size >= preparedMax) {
      return this.#execute<Row>(await this.#prepare(text, ''), parameters, putsOff)
    }
    const prepared = known ?? (await this.#prepare(text, `s${this.#prepared.size}`))
    return this.#execute<Row>(prepared, parameters, putsOff)
  }

  async #prepare(text: string, name: string): Promise<Prepared> {
    const { messages } = await this.#send(
      [serialize.parse({ name, text }), serialize.describe({ type: 'S', name }), serialize.sync()],
      false,
    )
    const described = messages.find((message) => message.name === 'rowDescription')
    const fields = (described as Messages['rowDescription'] | undefined)?.fields ?? []
    const prepared = {
      name,
      columns: fields.map(({ name, dataTypeID }) => ({ name, read: embeddedReaderOf(dataTypeID) })),
    }
    if (name !== '') this.#prepared.set(text, prepared)
    return prepared
  }

  async #execute<Row>(
    { name, columns }: Prepared,
    parameters: readonly unknown[],
    putsOff: boolean,
  ): Promise<Executed<Row>> {
    const { messages, durable } = await this.#send(
      [
        serialize.bind({ statement: name, values: parameters.map(toParameter) }),
        serialize.execute({}),
        serialize.sync(),
      ],
      putsOff,
    )
    const rows: Row[] = []
    let affectedRows: number | undefined
    for (const message of messages) {
      if (message.name === 'dataRow') {
        const row: Record<string, unknown> = {}
        ;(message as Messages['dataRow']).fields.forEach((field, i) => {
          const column = columns[i]
          if (column !== undefined) row[column.name] = field === null ? null : column.read(field)
        })
        rows.push(row as Row)
      } else if (message.name === 'commandComplete') {
        affectedRows = countOf((message as Messages['commandComplete']).text)
      }
    }
    return { rows, affectedRows, durable }
  }

  /** @throws DatabaseError the first error that the database answers with */
  async #send(
    messages: Uint8Array[],
    putsOff: boolean,
  ): Promise<{ messages: { name: string }[]; durable: Promise<void> | undefined }> {
    const ahead = this.#ahead === undefined ? [] : [this.#ahead]
    this.#ahead = undefined
    const { bytes, durable } = await this.#session.send(concat([...ahead, ...messages]), putsOff)
    if (durable !== undefined) this.#keepNotDurable(durable)
    const answers: { name: string }[] = []
    let failure: Error | undefined
    this.#parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), (message) => {
      if (message instanceof Error) failure ??= message
      else if (message.name === 'notification') this.#notify(message as unknown as Messages['notification'])
      else answers.push(message)
    })
    if (failure !== undefined) throw failure
    return { messages: answers, durable }
  }

  #notify({ channel, payload }: Messages['notification']): void {
    for (const listener of this.#listeners.get(channel) ?? []) queueMicrotask(() => listener(payload))
  }

  #keepNotDurable(durable: Promise<void>): void {
    this.#notDurable.add(durable)
    void durable.then(() => this.#notDurable.delete(durable))
  }
}

type Executed<Row> = StatementResult<Row> & { durable: Promise<void> | undefined }

/** Joins parts in a buffer of exactly their length, so that it can be transferred to another thread. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The number at the end of a command tag, such as `UPDATE 3` or `INSERT 0 1`. */
function countOf(tag: string): number | undefined {
  const match = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag)
  return match === null ? undefined : Number(match[1])
}
