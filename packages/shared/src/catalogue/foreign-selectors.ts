import { type Fault, faults } from './fields-faults.ts'

/**
 * Names by which memory products select whose memories a request is about. One that is passed over where a request
 * reads, changes or removes memories would reach everybody's; so where such a name is no field of the operation, it is
 * refused. `filter` and `subject` are of this service, but not of all of its operations.
 */
const foreign = [
  'filter',
  'where',
  'where_document',
  'metadata_filter',
  'query_filter',
  'must',
  'user',
  'user_id',
  'end_user',
  'end_user_id',
  'subject_id',
  'entity_id',
  'agent_id',
  'app_id',
  'run_id',
  'session_id',
  'thread_id',
  'conversation_id',
  'tenant',
  'tenant_id',
  'namespace',
  'partition',
  'scope',
  'container_tag',
  'collection',
  'collection_name',
  'bank_id',
  'group_id',
  'tag',
  'subject',
] as const

/** What says the same where an operation has no field of a name. */
interface Instead {
  /** What filters call it. */
  reserved?: string
  /** Another field. */
  field?: string
}

/** Names by which some operations of this service select: another one that passed over them would answer of more. */
const narrowing: Readonly<Record<string, Instead>> = {
  after: { reserved: '$occurred_at', field: 'since' },
  before: { reserved: '$occurred_at', field: 'until' },
  since: { reserved: '$occurred_at', field: 'after' },
  until: { reserved: '$occurred_at', field: 'before' },
  as_of: {},
  category: { reserved: '$category' },
  tier: { reserved: '$tier' },
  query: { field: 'q' },
  q: { reserved: '$text', field: 'query' },
  pattern_id: {},
  external_id: { reserved: '$external_id' },
  pattern_index: {},
  pattern_idx: { field: 'pattern_indexes' },
}

/**
 * What beside those says which patterns are meant, how many, or whether they are to go at all: what is removed in spite of
 * one is lost. Reads pass over these: an answer shows what it is of.
 */
const sparing: Readonly<Record<string, Instead>> = {
  id: {},
  memory_id: {},
  text: { reserved: '$text' },
  metadata: {},
  key: {},
  embedding: {},
  created_at: { reserved: '$created_at' },
  updated_at: { reserved: '$updated_at' },
  occurred_at: { reserved: '$occurred_at' },
  expires_at: { reserved: '$expires_at' },
  valid_from: {},
  valid_to: {},
  include_superseded: {},
  protected: {},
  version: {},
  kind: {},
  status: {},
  prefix: {},
  search: {},
  limit: {},
  top_k: {},
  min_similarity: { field: 'threshold' },
  min_priority: {},
  threshold: {},
  guard: {},
  dry_run: {},
  environment: {},
  organization_id: {},
}

/** What plurals that end in more than an s are of. */
const plurals: Readonly<Record<string, string>> = {
  categories: 'category',
  queries: 'query',
  pattern_indexes: 'pattern_index',
}

const squeezed = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
const written = [...foreign, ...Object.keys(narrowing), ...Object.keys(sparing), ...Object.keys(plurals)]
const separators = '[^a-z0-9[.]*'
const words = written.map((name) => name.replaceAll('_', separators)).join('|')
/** Whatever the case, separators and number: `containerTags`, `container-tag`, `$where`, `filter[user]`. */
const pattern = new RegExp(`^${separators}(${words})s?${separators}(?:[[.]|$)`, 'i')
const names = new Map(written.map((name) => [squeezed(name), plurals[name] ?? name]))

const isForeign = (name: string): boolean => (foreign as readonly string[]).includes(name)

/**
 * Why a field that an operation does not have is refused whether the request is strict or not; undefined for one that
 * selects nothing, and may be passed over.
 * @param removes whether the operation removes something
 * @param placeOf where the operation has a field of a name, as messages say it; undefined where it has none
 */
export function faultOfSelector(
  field: string,
  removes: boolean,
  placeOf: (name: string) => string | undefined,
): Fault | undefined {
  const found = pattern.exec(field)?.[1]
  const name = found && names.get(squeezed(found))
  if (name === undefined) return undefined
  const filter = placeOf('filter')
  const place = placeOf(name) ?? placeOf(`${name}s`) ?? placeOf(`${name}es`)
  if (isForeign(name)) {
    return name === 'subject' && place !== undefined ? useInstead(place) : faults.selectorForbidden(filter)
  }
  const instead = narrowing[name] ?? (removes ? sparing[name] : undefined)
  if (instead === undefined) return undefined
  if (place !== undefined) return useInstead(place)
  if (name === 'as_of') return faults.asOfForbidden
  if (name === 'metadata' && filter !== undefined) return faults.selectorForbidden(filter)
  if (instead.reserved !== undefined && filter !== undefined) {
    return because(`select by \`${instead.reserved}\` with \`${filter}\``)
  }
  const other = instead.field && placeOf(instead.field)
  return other === undefined ? because(`the operation has no \`${name}\``) : useInstead(other)
}

const because = (reason: string): Fault => {
  const { type, msg } = faults.extraForbidden
  return { type, msg: `${msg}: ${reason}` }
}

/** Why a field is refused that another one is to be used for. @param place of that one, as messages say it */
export const useInstead = (place: string): Fault => because(`use \`${place}\``)
