import { escapeHtml } from '../platform/escape-html.ts'

/** The contents of a mail, before they become text or HTML. All texts are plain, without markup. */
export interface Letter {
  subject: string
  parts: readonly Part[]
}

export type Part =
  | { paragraph: string }
  /** A link on its own line; in HTML `label` is shown instead of the URL. */
  | { link: string; label: string }
  /** An HTTP request, for those who use the service without its web pages. */
  | { request: string }

/** The letter as plain text. Each link is on a line of its own, so that it can be copied. */
export function toText({ parts }: Letter): string {
  return `${parts.map(textOf).join('\n\n')}\n`
}

function textOf(part: Part): string {
  if ('paragraph' in part) return wrap(part.paragraph)
  return 'link' in part ? part.link : part.request.replaceAll(/^(?=.)/gm, '  ')
}

const lineChars = 76

function wrap(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= lineChars)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** The letter as an HTML document that loads nothing. */
export function toHtml({ subject, parts }: Letter): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0 auto;max-width:34em;padding:1.5em;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a">
${parts.map(htmlOf).join('\n')}
</body>
</html>
`
}

function htmlOf(part: Part): string {
  if ('paragraph' in part) return `<p>${escapeHtml(part.paragraph)}</p>`
  if ('request' in part) {
    return `<pre style="padding:1em;background:#f4f4f4;white-space:pre-wrap;word-break:break-all">${escapeHtml(part.request)}</pre>`
  }
  return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`
}
