import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import { errors } from '@memory/shared/catalogue/errors'
import { isInvisible } from '@memory/shared/catalogue/invisible'
import { limits } from '@memory/shared/catalogue/limits'
import { type Described, type Method, Methods } from './methods.ts'
import { anyId, namedMethods } from './names.ts'
import { pascalCase, type Schema, Types } from './types.ts'

const folder = new URL('../src/memory_service/', import.meta.url)

/** Operations without a method: this one is for clients whose DELETE has no body. */
const left = new Set(['forgetTextsByPost'])

const head = `# Written by packages/python/scripts/generate.ts from the service's own description.
from __future__ import annotations
`

/** What the Python client has of the service's description, by file; `npm run build:python` writes it, a test compares. */
export async function renderPython(): Promise<Map<URL, string>> {
  const operations = routes.map((route) => route.operation)
  const document = createOpenApi(operations, '')
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>
  const methods = await methodsOf(document.paths as Record<string, Record<string, Described>>)
  const types = new Types(components)
  const python = new Methods(types, components)
  const rows = methods.filter(({ isIterator }) => !isIterator).map((method) => python.row(method))
  const client = (isAsync: boolean) => renderClient(python, methods, isAsync)
  return new Map([
    [new URL('_generated/operations.py', folder), renderOperations(rows)],
    [new URL('_generated/sync.py', folder), client(false)],
    [new URL('_generated/aio.py', folder), client(true)],
    [new URL('_generated/codes.py', folder), renderCodes()],
    [new URL('_generated/invisible.py', folder), renderInvisible()],
    [new URL('_generated/limits.py', folder), renderLimits()],
    // Last: the others define what it has.
    [new URL('types.py', folder), renderTypes(types)],
    [new URL('_version.py', folder), `${head}\n__version__ = "${versionOf()}"\n`],
  ])
}

/** Every operation by its names in the TypeScript client, and none without. */
async function methodsOf(paths: Record<string, Record<string, Described>>): Promise<Method[]> {
  const operations = routes.map((route) => route.operation)
  const methods = (await namedMethods()).map(({ route, ...named }) => {
    const operation = operations.find(({ method, path }) =>
      new RegExp(
        `^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, String(anyId)).replaceAll('.', '\\.')}$`,
      ).test(route),
    )
    if (operation === undefined) throw new Error(`There is no operation ${route}`)
    return { ...named, operation, described: paths[operation.path]?.[operation.method] as Described }
  })
  const reached = new Set(methods.map(({ operation }) => operation.id))
  const missing = operations.filter(({ id }) => !reached.has(id) && !left.has(id))
  if (missing.length > 0) throw new Error(`No method leads to ${missing.map(({ id }) => id).join(', ')}`)
  return methods
}

function renderClient(python: Methods, methods: readonly Method[], isAsync: boolean): string {
  const groups = [...new Set(methods.map(({ group }) => group))]
  const classes = groups.map((group) =>
    python.group(
      group,
      methods.filter((method) => method.group === group),
      isAsync,
    ),
  )
  const kind = isAsync ? 'AsyncCalls' : 'SyncCalls'
  const attributes = groups.map(
    (group) => `        self.${group}: ${pascalCase(group)} = ${pascalCase(group)}(calls)\n`,
  )
  return `${head}
import builtins
from collections.abc import ${isAsync ? 'AsyncGenerator, AsyncIterator' : 'Generator, Iterator'}, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, overload

from .._given import OMIT, Nobody, Numbers, Omit, given
from . import operations as op

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .. import types as t
    from .._calls import ${kind}
    from .._events import NotificationEvent
    from .._options import CallOptions


${classes.join('\n\n')}

class ${isAsync ? 'AsyncMemory' : 'Memory'}:
    """Every operation of the service, by what it is about: of a client, or of one for an end user."""

    def __init__(self, calls: ${kind}) -> None:
${attributes.join('')}`
}

function renderOperations(rows: string[]): string {
  return `${head}
import builtins
from typing import TYPE_CHECKING

from .._operation import Operation

if TYPE_CHECKING:
    from .. import types as t
    from .._answers import Stream

${rows.join('')}`
}

function renderTypes(types: Types): string {
  return `${head.replace('\n', '\n"""The shapes of what the service is given and answers, by their names in its OpenAPI document."""\n')}
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from ._given import Nobody, Numbers

__all__ = [
${types.names.map((name) => `    "${name}",\n`).join('')}]


${types.render()}`
}

/** Errors are answered by status and text; each pair is one code. */
function renderCodes(): string {
  const entries = Object.entries(errors)
  const texts = entries.map(([, { status, detail }]) => `(${status}, ${JSON.stringify(detail)})`)
  if (new Set(texts).size < texts.length) throw new Error('Two errors have the same status and text')
  return `${head}
from typing import Literal

ErrorCode = Literal[
${entries.map(([code]) => `    "${code}",\n`).join('')}]

CODES: dict[tuple[int, str], ErrorCode] = {
${entries.map(([code], at) => `    ${texts[at]}: "${code}",\n`).join('')}}
`
}

/** Python's regular expressions know no properties of Unicode, so its characters are told one range after the other. */
function renderInvisible(): string {
  const ranges: [first: number, last: number][] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!isInvisible(String.fromCodePoint(code))) continue
    const range = ranges.at(-1)
    if (range?.[1] === code - 1) range[1] = code
    else ranges.push([code, code])
  }
  const escaped = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`
  return `${head}
import re

_VISIBLE = re.compile(
    "[^"
${ranges.map(([first, last]) => `    "${escaped(first)}-${escaped(last)}"\n`).join('')}    "]"
)


def is_invisible(text: str) -> bool:
    """Whether a reader would see nothing of a text: the service takes it for empty, whatever its length."""
    return _VISIBLE.search(text) is None
`
}

/** Those that the client goes by. */
const renderLimits = (): string => `${head}
LIST_MAX = ${limits.listMax}
VERSIONS_MAX = ${limits.versionsMax}
IDEMPOTENCY_KEY_MAX = ${limits.idempotencyKeyChars}
`

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return version as string
}

if (import.meta.main) for (const [file, text] of await renderPython()) writeFileSync(file, text)
