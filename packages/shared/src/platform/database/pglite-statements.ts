import type { PGlite } from '@electric-sql/pglite'
import { serialize } from 'pg-protocol'
import { Parser } from 'pg-protocol/dist/parser'
import { FairTurns, type Leave } from '../fair-turns.ts'
import { LoopTurn } from '../loop-turn.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { LogSync } from './log-sync.ts'

/** Rows, and how many a change touched. */
export interface StatementResult<Row> {
  rows: Row[]
  affectedRows: number | undefined
}

/** Ends a transaction. @returns what was changed is on the disk when `settled` is; undefined where it changed nothing */
export type EndTransaction = (how: 'commit' | 'rollback') => Promise<{ settled: Promise<void> | undefined }>

/** A statement that the database has parsed: how to write its parameters and read its columns. */
interface Prepared {
  name: string
  parameterTypes: number[]
  columns: { name: string; read: (text: string) => unknown }[]
}

/** The messages of the database's protocol that are read here. */
interface Messages {
  parameterDescription: { name: 'parameterDescription'; dataTypeIDs: number[] }
  rowDescription: { name: 'rowDescription'; fields: { name: string; dataTypeID: number }[] }
  dataRow: { name: 'dataRow'; fields: (string | null)[] }
  commandComplete: { name: 'commandComplete'; text: string }
}

/** Beyond this many, statements are run without being prepared: the text of a healthy application's is fixed. */
const preparedMax = 500

/**
 * Runs statements on an embedded database, each parsed once. The package's own `query` parses and describes a
 * statement at every call: 0.32 ms for authentication where a prepared one takes 0.15.
 *
 * The database runs in this thread, and all that it answers settles in microtasks: without `FairTurns` the event loop
 * would read no request before the last statement that anybody waits for is done.
 */
export class EmbeddedStatements {
  readonly #database: PGlite
  readonly #reserve: DiskReserve
  readonly #log: LogSync
  readonly #turns = new FairTurns({ slots: 1, loop: new LoopTurn() })
  readonly #prepared = new Map<string, Prepared>()
  #isReadOnly = false

  /** @param reserve of the disk that the database is on @param log of the database */
  constructor(database: PGlite, reserve: DiskReserve, log: LogSync) {
    this.#database = database
    this.#reserve = reserve
    this.#log = log
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
    const statement = `set default_transaction_read_only = ${isLow ? 'on' : 'off'}`
    await this.#database._runExclusiveTransaction(() => this.#runExclusively(statement, []))
  }

  /**
   * Begins a transaction in the session that `enter` gave: only statements within it run until it is ended.
   * @returns what ends it, and then gives what to wait for before anybody is told that it is committed
   */
  async begin(): Promise<EndTransaction> {
    const begun = Promise.withResolvers<void>()
    const finished = Promise.withResolvers<'commit' | 'rollback'>()
    const ended = this.#database._runExclusiveTransaction(async () => {
      await this.#runExclusively('begin', [])
      begun.resolve()
      return this.#end(await finished.promise)
    })
    ended.catch(begun.reject)
    await begun.promise
    return (how) => {
      finished.resolve(how)
      return ended
    }
  }

  async #end(how: 'commit' | 'rollback'): Promise<{ settled: Promise<void> | undefined }> {
    try {
      return await this.#database.runExclusive(() => this.#log.putOff(() => this.#prepareAndExecute(how, [])))
    } catch (error) {
      await this.#runExclusively('rollback', [])
      throw error
    }
  }

  /** Within the transaction that was begun, or else when none is open: what it changed is on the disk then. */
  async run<Row>(
    text: string,
    parameters: readonly unknown[],
    isInTransaction: boolean,
  ): Promise<StatementResult<Row>> {
    if (isInTransaction) {
      await this.#turns.breathe()
      return this.#runExclusively(text, parameters)
    }
    const { result, settled } = await this.#runAlone<Row>(text, parameters)
    // Others go on meanwhile.
    await settled
    return result
  }

  async #runAlone<Row>(text: string, parameters: readonly unknown[]) {
    const leave = await this.enter()
    try {
      return await this.#database._runExclusiveTransaction(() =>
        this.#database.runExclusive(() =>
          this.#log.putOff(() => this.#prepareAndExecute<Row>(text, parameters)),
        ),
      )
    } finally {
      leave()
    }
  }

  #runExclusively<Row>(text: string, parameters: readonly unknown[]): Promise<StatementResult<Row>> {
    return this.#database.runExclusive(() => this.#prepareAndExecute<Row>(text, parameters))
  }

  async #prepareAndExecute<Row>(text: string, parameters: readonly unknown[]): Promise<StatementResult<Row>> {
    await this.#database._checkReady()
    const known = this.#prepared.get(text)
    if (known === undefined && this.#prepared.size >= preparedMax) {
      return this.#execute<Row>(await this.#prepare(text, ''), parameters)
    }
    return this.#execute<Row>(known ?? (await this.#prepare(text, `s${this.#prepared.size}`)), parameters)
  }

  async #prepare(text: string, name: string): Promise<Prepared> {
    const messages = await this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    ])
    const { parsers } = this.#database
    const fields = find(messages, 'rowDescription')?.fields ?? []
    const prepared = {
      name,
      parameterTypes: find(messages, 'parameterDescription')?.dataTypeIDs ?? [],
      columns: fields.map(({ name, dataTypeID }) => {
        const parser = parsers[dataTypeID]
        return { name, read: parser === undefined ? asText : (value: string) => parser(value, dataTypeID) }
      }),
    }
    if (name !== '') this.#prepared.set(text, prepared)
    return prepared
  }

  async #execute<Row>(
    { name, parameterTypes, columns }: Prepared,
    parameters: readonly unknown[],
  ): Promise<StatementResult<Row>> {
    const values = parameters.map((value, i) => this.#write(value, parameterTypes[i] ?? 0))
    const messages = await this.#send([
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    ])
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
    return { rows, affectedRows }
  }

  #write(value: unknown, type: number): string | Buffer | null {
    if (value === null || value === undefined) return null
    // As with node-postgres, bytes are the binary form of whatever type the parameter has.
    if (Buffer.isBuffer(value)) return value
    const serializer = this.#database.serializers[type]
    if (serializer !== undefined) return serializer(value)
    return typeof value === 'string' ? value : String(value)
  }

  async #send(messages: Uint8Array[]): Promise<readonly { name: string }[]> {
    const answer = await this.#database.execProtocol(Buffer.concat(messages), { syncToFs: false })
    const { buffer, byteOffset, length } = answer.data
    const bytes = Buffer.from(buffer, byteOffset, length)
    return bytes.includes(byteOrderMark) ? readMessages(bytes) : answer.messages
  }
}

/** U+FEFF in UTF-8. */
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** The messages of an answer, every text in them as it is: the package's own reader drops a U+FEFF that begins one. */
function readMessages(answer: Buffer): { name: string }[] {
  const messages: { name: string }[] = []
  new Parser().parse(answer, (message) => messages.push(message))
  return messages
}

const asText = (value: string) => value

function find<Name extends keyof Messages>(messages: readonly { name: string }[], name: Name) {
  return messages.find((message) => message.name === name) as Messages[Name] | undefined
}

/** The number at the end of a command tag, such as `UPDATE 3` or `INSERT 0 1`. */
function countOf(tag: string): number | undefined {
  const match = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(tag)
  return match === null ? undefined : Number(match[1])
}
