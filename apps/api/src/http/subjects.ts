import { occurredIn } from '@memory/memory/filter/occurred-in'
import { ofSubject } from '@memory/memory/learning/record-use'
import { boundMemory } from '@memory/memory/subjects/bound-memory'
import { ofSubjects, type SubjectSelector, seenBy } from '@memory/memory/subjects/narrow'
import type { SubjectQueries } from '@memory/memory/subjects/subject-queries'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Filter } from '@memory/shared/catalogue/filter'
import type { Operation, SubjectBinding } from '@memory/shared/catalogue/operation'
import type { Context } from '../context.ts'
import type { Authenticated } from './authenticate.ts'

/** The end user whom a caller is bound to; undefined for nobody. */
export const boundTo = (authenticated: Authenticated | undefined): SubjectBinding | undefined =>
  authenticated !== undefined && 'spaceId' in authenticated.caller ? authenticated.caller.subject : undefined

/** What an operation works with for a caller. @param isRead whether it changes nothing */
export function contextOf(context: Context, binding: SubjectBinding | undefined, isRead: boolean): Context {
  if (binding === undefined) return context
  // What is of no end user is read, and never changed.
  const scope = { subject: binding.name, readsShared: binding.isShared && isRead }
  return { ...context, memory: boundMemory(context.memory, context.database.queriesOf(scope)) }
}

/** A part of a request that may choose patterns. */
interface Part {
  subject?: SubjectSelector
  filter?: Filter | undefined
  after?: Date | null | undefined
  before?: Date | null | undefined
}

/** The parts of a request that may name an end user. */
interface Request {
  params?: Part | undefined
  query?: Part | undefined
  body?: (Part & { items?: Part[]; patterns?: Part[]; queries?: Part[] }) | undefined
}

/**
 * A valid request with its filters narrowed to the time and the end users that it names, and to the one whom its caller is
 * bound to.
 * @throws ApiError other_subject for a bound caller who names another
 */
export function narrowed<R extends object>(
  operation: Operation,
  request: R,
  binding: SubjectBinding | undefined,
): R {
  const { params, query, body } = request as Request
  if (binding !== undefined) {
    const listed = [body?.items, body?.patterns, body?.queries].flatMap((list) =>
      Array.isArray(list) ? list : [],
    )
    for (const part of [params, query, body, ...listed]) requireOwn(operation, part?.subject, binding)
  }
  if (operation.subjects !== 'search') return request
  const narrow = <P extends Part>(part: P): P => {
    const period = { from: part.after?.getTime(), to: part.before?.getTime() }
    const filter = ofSubjects(occurredIn(part.filter, period), part.subject)
    return { ...part, filter: binding === undefined ? filter : seenBy(filter, binding) }
  }
  return {
    ...request,
    ...(operation.body === undefined
      ? { query: narrow(query ?? {}) }
      : {
          body:
            body?.queries === undefined ? narrow(body ?? {}) : { ...body, queries: body.queries.map(narrow) },
        }),
  }
}

function requireOwn(operation: Operation, named: SubjectSelector, { name, isShared }: SubjectBinding): void {
  if (named === undefined) return
  const isOwn =
    named === null
      ? isShared && operation.subjects === 'search'
      : (typeof named === 'string' ? [named] : named).every((each) => each === name)
  if (!isOwn) throw new ApiError('other_subject')
}

/** Whose use a space learns from: see `X-Memory-Actor`. Nobody passes for an actor of another end user. */
export function actorOf(
  actor: string | undefined,
  { body }: Request,
  binding: SubjectBinding | undefined,
): string | undefined {
  if (binding !== undefined) return actor === undefined ? binding.name : binding.name + ofSubject + actor
  return actor ?? (typeof body?.subject === 'string' ? body.subject : undefined)
}

/** The route of an operation under which answers are kept for an `Idempotency-Key`: each end user has their own. */
export const routeOf = ({ id }: Operation, binding: SubjectBinding | undefined): string =>
  binding === undefined ? id : `${id}/${binding.name}`

/** The queries that a request counts as those of one end user; undefined where it has none, or is of no single one. */
export function subjectQueriesOf(
  authenticated: Authenticated | undefined,
  { query, body }: Request,
  count: number,
): SubjectQueries | undefined {
  if (count === 0 || authenticated === undefined || !('spaceId' in authenticated.caller)) return undefined
  const { caller } = authenticated
  const subject = caller.subject?.name ?? onlySubject(body ?? query)
  return subject === undefined ? undefined : { caller, subject, count }
}

/** The one end user that a body, or a query where there is no body, is about, or all the queries of a batch. */
function onlySubject(asking: Request['body']): string | undefined {
  const asked = Array.isArray(asking?.queries) ? asking.queries : [asking]
  const named = new Set(
    asked.flatMap((each: { subject?: unknown } | undefined) => each?.subject ?? [undefined]),
  )
  const [subject] = named
  return named.size === 1 && typeof subject === 'string' ? subject : undefined
}
