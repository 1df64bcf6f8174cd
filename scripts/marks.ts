/**
 * The page with `text` between its marks `<!-- NAME -->` and `<!-- /NAME -->`. What a program knows stands in pages between
 * such marks, so that nobody types it, and a test finds a page that was not written again.
 * @throws where the page lacks the marks
 */
export function fillMarks(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end, from)
  if (from === -1 || to === -1) throw new Error(`The page lacks the marks ${start} and ${end}.`)
  return `${page.slice(0, from + start.length)}\n${text}\n${page.slice(to)}`
}
