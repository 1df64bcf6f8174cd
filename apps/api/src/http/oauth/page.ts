import { createHash } from 'node:crypto'
import type { Scope } from '@memory/shared/catalogue/scopes'
import { escapeHtml } from '@memory/shared/platform/escape-html'
import type { Response } from 'express'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:8vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}
label{display:block;margin:.8rem 0}label.line{margin:.3rem 0}input:not([type=checkbox]):not([type=radio]){display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit}
button{padding:.5rem 1rem;font:inherit;margin:1rem .5rem 0 0}fieldset{border:0;padding:0;margin:1rem 0}.wrong{color:#b00020}.where{word-break:break-all}
@media(prefers-color-scheme:dark){body{color:#eee;background:#121212}}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** What the page asks of a user. */
interface Asked {
  clientName: string
  redirectUri: string
  scopes: readonly Scope[]
  /** What was wrong with the user's last attempt. */
  wrong?: string | undefined
  /** The address that was typed then; secrets have to be typed again. */
  email?: string | undefined
}

/** What each scope that a program may ask for lets it do, as its user reads it. */
export const clientScopes = {
  'memory:read': 'Read and search memories',
  'memory:write': 'Store, change and erase memories',
} as const satisfies Partial<Record<Scope, string>>
export type ClientScope = keyof typeof clientScopes

/** Asks a user whether a program may act for them. */
export function sendConsentPage(res: Response, asked: Asked, status = 200): void {
  const { clientName, redirectUri, scopes, wrong, email = '' } = asked
  const { origin, protocol, host } = new URL(redirectUri)
  // With a scheme of a program's own, the host alone would not say who gets the answer.
  const where = /^https?:$/.test(protocol) ? host : redirectUri
  // Browsers check `form-action` also for the address that the form's answer redirects to.
  const target = origin === 'null' ? protocol : origin
  const choices = scopes
    .filter((scope): scope is ClientScope => scope in clientScopes)
    .map(
      (scope) =>
        `<label class="line"><input type="checkbox" name="scope" value="${scope}" checked> ${clientScopes[scope]}</label>`,
    )
  send(
    res,
    status,
    target,
    `<h1>Let ${escapeHtml(clientName)} in?</h1>
<p>A program that calls itself so asks to use your memories. You will be sent to <span class="where">${escapeHtml(where)}</span>.
If you did not start this, close the page.</p>
${wrong === undefined ? '' : `<p class="wrong" role="alert">${escapeHtml(wrong)}</p>`}
<form method="post">
<fieldset><legend>It may</legend>${choices.join('')}</fieldset>
<fieldset><legend>in the space</legend>
<label class="line"><input type="radio" name="environment" value="live" checked> live</label>
<label class="line"><input type="radio" name="environment" value="test"> test</label></fieldset>
<label>Email <input name="email" type="email" autocomplete="username" required value="${escapeHtml(email)}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label>Code of your second factor, if you have one <input name="code" autocomplete="one-time-code"></label>
<button name="decision" value="allow">Sign in and allow</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>`,
  )
}

/** Says why a program's request is refused, without a way back to the program. */
export function sendRefusalPage(res: Response, why: string): undefined {
  send(res, 400, undefined, `<h1>This can’t go on</h1><p>${escapeHtml(why)}</p>`)
}

function send(res: Response, status: number, target: string | undefined, body: string): void {
  const formAction = target === undefined ? "'none'" : `'self' ${target}`
  res.setHeader(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
  )
  res.setHeader('X-Frame-Options', 'DENY')
  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.statusCode = status
  res.end(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Memory Service</title><style>${style}</style></head>
<body>
${body}
</body></html>
`)
}
