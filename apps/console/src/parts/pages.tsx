import { Group, Text } from '@mantine/core'
import { type MouseEvent, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'
import { AnswersBefore } from './asked.tsx'
import { ButtonLink } from './links.tsx'

interface Props {
  /** The cursor of the page that is shown, as the address has it. */
  cursor: string | undefined
  next: string | null
}

/** Leads to the next page of a list, and back to the first. */
export function Pages({ cursor, next }: Props) {
  return (
    <PageLinks
      first={cursor === undefined ? undefined : { cursor: undefined }}
      next={next === null ? undefined : { cursor: next }}
    />
  )
}

interface LinksProps {
  /** What the address of the first page says where it is not this one. */
  first: Record<string, unknown> | undefined
  /** What the address of the next page says, where there is one. */
  next: Record<string, unknown> | undefined
}

/** The same for a list whose pages are not told by cursors. */
export function PageLinks({ first, next }: LinksProps) {
  const { t } = useTranslation()
  // The next page of the list before is none of this one. The button stays, since it may have the focus.
  const isHeld = use(AnswersBefore)
  const held = {
    'aria-disabled': true,
    'data-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  }
  return (
    <Group>
      {first === undefined ? null : (
        <ButtonLink variant="default" to="." search={(before: object) => ({ ...before, ...first })}>
          {t('page.first')}
        </ButtonLink>
      )}
      {next === undefined ? null : (
        <ButtonLink
          variant="default"
          to="."
          search={(before: object) => ({ ...before, ...next })}
          {...(isHeld ? held : {})}
        >
          {t('page.next')}
        </ButtonLink>
      )}
    </Group>
  )
}

/** Leads to the other pages of a list whose address has a `page`. */
export function NumberedPages({ page, pages }: { page: number; pages: number }) {
  const { t } = useTranslation()
  if (pages <= 1 && page === 1) return null
  const to = (page: number) => (before: object) => ({ ...before, page: page === 1 ? undefined : page })
  return (
    <Group>
      {page > 1 ? (
        <ButtonLink variant="default" to="." search={to(Math.min(page - 1, Math.max(pages, 1)))}>
          {t('page.newer')}
        </ButtonLink>
      ) : null}
      <Text size="sm">{t('page.number', { page, pages })}</Text>
      {page < pages ? (
        <ButtonLink variant="default" to="." search={to(page + 1)}>
          {t('page.older')}
        </ButtonLink>
      ) : null}
    </Group>
  )
}

interface TurnsProps {
  /** From 1. */
  page: number
  pages: number
  /** The parameter of the address that has the page, from the second on. */
  parameter: string
}

/** Leads to the other pages of a list that the browser has whole. */
export function Turns({ page, pages, parameter }: TurnsProps) {
  const { t } = useTranslation()
  if (pages <= 1) return null
  return (
    <Group>
      <PageLinks
        first={page === 1 ? undefined : { [parameter]: undefined }}
        next={page >= pages ? undefined : { [parameter]: page + 1 }}
      />
      <Text size="sm">{t('page.number', { page, pages })}</Text>
    </Group>
  )
}

/** Of a list that the browser has whole, so many are shown at once. */
const shownAtOnce = 25

interface InPagesProps<Item> extends Omit<TurnsProps, 'page' | 'pages'> {
  items: readonly Item[]
  /** As the address has it. */
  page: number | undefined
  children: (shown: readonly Item[]) => ReactNode
}

/** A page of a list that the browser has whole: the last one where there are not so many. */
export function InPages<Item>({ items, page = 1, parameter, children }: InPagesProps<Item>) {
  const pages = Math.max(1, Math.ceil(items.length / shownAtOnce))
  const at = Math.min(page, pages)
  return (
    <>
      {children(items.slice((at - 1) * shownAtOnce, at * shownAtOnce))}
      <Turns page={at} pages={pages} parameter={parameter} />
    </>
  )
}
