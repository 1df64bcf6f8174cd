/**
 * Names by which memory products select whose memories a request is about. One that is passed over where a request
 * reads, changes or removes memories would reach everybody's; so where such a name is no field of the operation, it is
 * refused. `filter` and `subject` are of this service, but not of all of its operations.
 */
const selectors = [
  'filter',
  'where',
  'user_id',
  'agent_id',
  'run_id',
  'session_id',
  'namespace',
  'container_tag',
  'collection',
  'bank_id',
  'group_id',
  'tag',
  'subject',
]

const separators = '[^a-z0-9[.]*'
const words = selectors.map((name) => name.replaceAll('_', separators)).join('|')
/** Whatever the case, separators and number: `containerTags`, `container-tag`, `$where`, `filter[user]`. */
const pattern = new RegExp(`^${separators}(?:${words})s?${separators}(?:[[.]|$)`, 'i')

/** Whether a field that an operation does not have looks like a selector. */
export const isForeignSelector = (name: string): boolean => pattern.test(name)

const asOf = new RegExp(`^${separators}as${separators}of${separators}$`, 'i')

/** Whether one asks of which time an operation is to answer: it would be answered of now. */
export const isAsOf = (name: string): boolean => asOf.test(name)
