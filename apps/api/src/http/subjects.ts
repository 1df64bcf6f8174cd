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

/** The end user to whom a caller is bound; undefined for a caller who is not bound. */
export const boundTo = (authenticated: Authenticated | undefined): SubjectBinding | undefined =>
  authenticated !== undefined && 'spaceId' in authenticated.caller ? authenticated.caller.subject : undefined

/**
 * The context with which an operation works for a caller: for a bound one, the database shows only the end user's rows.
 * @param isRead whether the operation changes nothing
 */
export function contextOf(context: Context, binding: SubjectBinding | undefined, isRead: boolean): Context {
  if (binding === undefined) return context
  // Shared patterns, those that belong to no end user, may be read by bound callers but never changed.
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
 * Moves `after`, `before` and `subject` of a valid request into its filters, and narrows these to the end user to whom the
 * caller is bound.
 * @throws ApiError other_subject for a bound caller who names another end user
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

/**
 * The actor whose use the space learns from (see `X-Memory-Actor`). For a bound caller it begins with the end user's name, so
 * that nobody can pass for an actor of another end user.
 */
export function actorOf(
  actor: string | undefined,
  { body }: Request,
  binding: SubjectBinding | undefined,
): string | undefined {
  if (binding !== undefined) return actor === undefined ? binding.name : binding.name + ofSubject + actor
  return actor ?? (typeof body?.subject === 'string' ? body.subject : undefined)
}

/** The route under which answers are stored for an `Idempotency-Key`. Each end user has their own, so keys can't collide. */
export const routeOf = ({ id }: Operation, binding: SubjectBinding | undefined): string =>
  binding === undefined ? id : `${id}/${binding.name}`

/** The queries of a request that count for one end user; undefined when it has no queries, or not exactly one end user. */
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

/** The only end user that a request names, in a batch in all of its queries; undefined when there is not exactly one. */
function onlySubject(asking: Request['body']): string | undefined {
  const asked = Array.isArray(asking?.queries) ? asking.queries : [asking]
  const named = new Set(
    asked.flatMap((each: { subject?: unknown } | undefined) => each?.subject ?? [undefined]),
  )
  const [subject] = named
  return named.size === 1 && typeof subject === 'string' ? subject : undefined
}
