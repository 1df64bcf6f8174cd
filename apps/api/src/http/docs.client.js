// Runs in the reference page; the bundle beside it defines SwaggerUIBundle.

/** Whether an operation has every word of a search: in its address, name, summary, tag or description. */
function matches(tag, entry, words) {
  const operation = entry.get('operation')
  const parts = [tag, entry.get('method'), entry.get('path')]
  for (const name of ['operationId', 'summary', 'description']) parts.push(operation.get(name))
  const text = parts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Keeps the operations that a search names, and the tags that have some. */
function search(operationsByTag, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  return operationsByTag
    .map((group, tag) =>
      group.set(
        'operations',
        group.get('operations').filter((entry) => matches(tag, entry, words)),
      ),
    )
    .filter((group) => group.get('operations').size > 0)
}

const isSearch = (phrase) => typeof phrase === 'string' && phrase.trim() !== ''

/** Shows the operations of the first tag, and all that a search finds: each one shown takes its time to draw. */
const opening = {
  // The original has the state already.
  isShown: (original, system) => (_state, thing, otherwise) => {
    const [kind, tag] = Array.isArray(thing) ? thing : []
    if (kind !== 'operations-tag') return original(thing, otherwise)
    if (isSearch(system.layoutSelectors.currentFilter())) return true
    const first = system.specSelectors.specJson().getIn(['tags', 0, 'name'])
    return original(thing, otherwise || tag === first)
  },
}

function SearchField(_original, { React, layoutActions }) {
  let waiting
  const find = ({ target }) => {
    clearTimeout(waiting)
    waiting = setTimeout(() => layoutActions.updateFilter(target.value || true), 150)
  }
  return () =>
    React.createElement(
      'section',
      { className: 'filter-container wrapper' },
      React.createElement('input', {
        type: 'search',
        className: 'operation-filter-input',
        'aria-label': 'Search operations',
        placeholder: 'Search operations: words, path or name',
        onChange: find,
      }),
    )
}

/** What a JSON pointer names in a value. */
const at = (value, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, name) => inner?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], value)

const ofAnswer = '$response.body#'

/** A value with the parts of an answer that it names; undefined where the answer lacks one. */
function filledFrom(answer, value) {
  if (typeof value === 'string' && value.startsWith(ofAnswer)) return at(answer, value.slice(ofAnswer.length))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => filledFrom(answer, each))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledFrom(answer, each)]))
}

/** What this page wrote into the forms. What people write there themselves stays. */
const written = new Map()

function mayWrite(place, current, example) {
  return (current ?? '') === '' || current === example || current === written.get(place)
}

const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

function fillParameter(system, pathMethod, name, value) {
  const key = ['paths', ...pathMethod, 'parameters']
  const parameter = system.specSelectors
    .specJson()
    .getIn(key)
    ?.find((each) => each.get('in') === 'path' && each.get('name') === name)
  if (parameter === undefined || value === undefined) return
  const place = [...pathMethod, name].join(' ')
  const current = system.specSelectors.parameterWithMetaByIdentity(pathMethod, parameter).get('value')
  if (!mayWrite(place, current, asText(parameter.get('example') ?? ''))) return
  written.set(place, asText(value))
  system.specActions.changeParamByIdentity(pathMethod, parameter, asText(value), false)
}

function fillBody(system, pathMethod, value) {
  const place = pathMethod.join(' ')
  const content = ['paths', ...pathMethod, 'requestBody', 'content', 'application/json', 'example']
  const example = system.specSelectors.specJson().getIn(content)?.toJS()
  const current = system.oas3Selectors.requestBodyValue(...pathMethod)
  if (!mayWrite(place, current, asText(example))) return
  written.set(place, asText(value))
  system.oas3Actions.setRequestBodyValue({ value: asText(value), pathMethod })
  // A form that is drawn for the first time would begin with the example.
  system.oas3Actions.setRetainRequestBodyValueFlag({ value: true, pathMethod })
}

/** Where an operation is in the document. */
function placeOf(document, operationId) {
  for (const [path, methods] of document.get('paths').entries()) {
    for (const [method, operation] of methods.entries()) {
      if (operation.get('operationId') === operationId) return [path, method]
    }
  }
  return undefined
}

/** Takes what an answer gives out, ids and tokens, to the requests that need it, as the document's links say. */
function passOn(system, path, method, { status, text }) {
  const document = system.specSelectors.specJson()
  const links = document.getIn(['paths', path, method, 'responses', String(status), 'links'])
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return
  }
  for (const link of links?.toJS ? Object.values(links.toJS()) : []) {
    const pathMethod = placeOf(document, link.operationId)
    if (pathMethod === undefined) continue
    for (const [name, value] of Object.entries(link.parameters ?? {}))
      fillParameter(system, pathMethod, name, filledFrom(answer, value))
    if (link.requestBody !== undefined) fillBody(system, pathMethod, filledFrom(answer, link.requestBody))
  }
  if (typeof answer?.access_token === 'string') signIn(system, document, answer.access_token)
}

/** After a sign-in on this page, its further requests carry the access token. */
function signIn(system, document, token) {
  const schema = document.getIn(['components', 'securitySchemes', 'accessToken'])
  system.authActions.authorizeWithPersistOption({
    accessToken: { name: 'accessToken', schema, value: token },
  })
}

/**
 * A part of the document with what its references name in their places. Swagger UI's own resolver goes through the
 * whole document each time, which takes seconds; all references here are to components of this one.
 */
function resolved(document, value, within = []) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => resolved(document, each, within))
  const { $ref, ...others } = value
  if (typeof $ref !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, resolved(document, each, within)]),
    )
  // A schema that contains itself.
  if (within.includes($ref)) return value
  return { ...resolved(document, at(document, $ref.slice(1)), [...within, $ref]), ...others }
}

async function resolveSubtree(document, path) {
  const part = path.reduce((inner, name) => inner?.[name], document)
  return { spec: resolved(document, part), errors: [] }
}

const keptIn = 'authorized'

/** Does what throws in a browser that keeps nothing. */
function ifKept(act) {
  try {
    act()
  } catch {
    // Credentials are then given anew to each page.
  }
}

/**
 * Keeps credentials for as long as the tab is there, which may load the page again. Swagger UI's own way is to keep them in the
 * browser for good.
 */
const keeping = {
  auth: {
    wrapActions: {
      persistAuthorizationIfNeeded:
        (_original, { authSelectors }) =>
        () =>
          ifKept(() => sessionStorage.setItem(keptIn, JSON.stringify(authSelectors.authorized().toJS()))),
    },
  },
  configs: {
    wrapActions: {
      loaded:
        (original, { authActions }) =>
        () => {
          original()
          ifKept(() => {
            // What was kept for good before.
            localStorage.removeItem(keptIn)
            const kept = sessionStorage.getItem(keptIn)
            if (kept !== null) authActions.restoreAuthorization({ authorized: JSON.parse(kept) })
          })
        },
    },
  },
}

const reference = () => ({
  fn: { opsFilter: search, resolveSubtree },
  wrapComponents: { FilterContainer: SearchField },
  statePlugins: {
    ...keeping,
    layout: { wrapSelectors: opening },
    spec: {
      wrapActions: {
        // Otherwise it is read as YAML, character by character.
        parseToJson: (_original, system) => (text) => system.specActions.updateJsonSpec(JSON.parse(text)),
        setResponse: (original, system) => (path, method, response) => {
          const result = original(path, method, response)
          passOn(system, path, method, response)
          return result
        },
      },
    },
  },
})

/** Swagger UI sends all credentials it has. An organization in the path is the user's, and the key may be of another one. */
function chooseCredentials(request) {
  const { headers, url } = request
  if (headers?.Authorization && headers['X-API-Key'] && url.includes('/organization'))
    delete headers['X-API-Key']
  return request
}

globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  plugins: [reference],
  requestInterceptor: chooseCredentials,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
