import { serialize } from 'pg-protocol'
import { Parser } from 'pg-protocol/dist/parser'
import { FairTurns, type Leave } from '../fair-turns.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { EmbeddedSession } from './embedded-session.ts'
import { embeddedReaderOf, quoteIdentifier, toParameter } from './pg-values.ts'

/** Rows, and how many a change touched. */
export interface StatementResult<Row> {
  rows: Row[]
  affectedRows: number | undefined
}

/** Ends a transaction. @returns what was changed is on the disk when `durable` is; undefined where it changed nothing */
export type EndTransaction = (how: 'commit' | 'rollback') => Promise<{ durable: Promise<void> | undefined }>

/** A statement that the database has parsed: how to read its columns. */
interface Prepared {
  name: string
  columns: { name: string; read: (text: string) => unknown }[]
}

/** The messages of the database's protocol that are read here. */
interface Messages {
  rowDescription: { name: 'rowDescription'; fields: { name: string; dataTypeID: number }[] }
  dataRow: { name: 'dataRow'; fields: (string | null)[] }
  commandComplete: { name: 'commandComplete'; text: string }
  notification: { name: 'notification'; channel: string; payload: string }
}

/** Beyond this many, statements are run without being prepared: the text of a healthy application's is fixed. */
const preparedMax = 500

/**
 * Runs statements on an embedded database, each parsed once: authentication takes half as long prepared. There is one
 * session, so a statement outside a transaction waits for the open one to end.
 */
export class EmbeddedStatements {
  readonly #session: EmbeddedSession
  readonly #reserve: Pick<DiskReserve, 'isLow'>
  readonly #turns = new FairTurns({ slots: 1, letsContinue: true })
  readonly #prepared = new Map<string, Prepared>()
  readonly #parser = new Parser()
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  /** Commits that were answered and are not on the disk. */
  readonly #notDurable = new Set<Promise<void>>()
  /** What goes to the database with the next statement. */
  #ahead: Uint8Array | undefined
  /** Of transactions that begin; undefined until this has set it, since another may have had the session before. */
  #isReadOnly: boolean | undefined

  /** @param reserve of the disk that the database is on */
  constructor(session: EmbeddedSession, reserve: Pick<DiskReserve, 'isLow'>) {
    this.#session = session
    this.#reserve = reserve
  }

  /** Waits for the session; whoever has it begins a transaction and ends it. @returns what gives it back */
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

  /** Before each transaction: while the disk is nearly full, those that begin can only read. */
  async #keepReserve(): Promise<void> {
    const { isLow } = this.#reserve
    if (isLow === this.#isReadOnly) return
    this.#isReadOnly = isLow
    // Not prepared: what a session has prepared goes by names, and another may have given the same one.
    await this.#send([serialize.query(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`)], false)
  }

  /**
   * Begins a transaction in the session that `enter` gave: only statements within it run until it is ended. The first of
   * them brings the BEGIN along.
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

  /** Within the transaction that was begun, or else when none is open: what it changed is on the disk then. */
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
    // Others go on meanwhile.
    await result.durable
    return result
  }

  /** Runs several statements without parameters at once, when no transaction is open. */
  async exec(statements: string): Promise<void> {
    const leave = await this.enter()
    try {
      await this.#send([serialize.query(statements)], false)
    } finally {
      leave()
    }
  }

  /** Resolves when every commit that a statement may have seen by now is on the disk. */
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

  /** @throws DatabaseError what the database says is wrong */
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

/** In memory of its own, which may change hands. */
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
