import { AppShell, Burger, Group, NativeSelect, ScrollArea, Text } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../parts/act-button.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { PageNavLink } from '../parts/links.tsx'
import { NotIn, useOrganization, useOrganizations } from '../parts/of-organization.tsx'
import { Page } from '../parts/page.tsx'
import { usePlace, useSwitchPlace } from '../parts/use-place.ts'
import { useSignOut } from '../parts/use-sign-out.ts'
import { Waiting } from '../parts/waiting.tsx'
import { queryClient } from '../queries.ts'
import { session } from '../session/session.ts'
import { wayBack } from '../session/way-back.ts'
import { Bell } from './bell.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { menu } from './menu.ts'
import { Offline } from './offline.tsx'
import { Palette } from './palette.tsx'
import { Preferences } from './preferences.tsx'
import { useMenu } from './use-menu.ts'

/** The pages for who is signed in. Once nobody is, they are gone at once: all that they still asked for would be refused. */
export function Shell() {
  const accessToken = useSyncExternalStore(session.subscribe, () => session.accessToken)
  return accessToken === undefined ? <Left /> : <Frame />
}

/** Leads away once the session is over, wherever it was ended, and says where to come back to. */
function Left() {
  const router = useRouter()
  useEffect(() => {
    queryClient.clear()
    const { ended } = session
    const to = ended === 'signed-out' ? undefined : wayBack(router.state.location.href)
    // Who signs in next may not be in the organization that the page was about: only the way back names it.
    void router.navigate({ to: '/sign-in', search: { to, ended, org: undefined, space: undefined } })
  }, [router])
  return <Waiting />
}

function Frame() {
  const { t } = useTranslation()
  const [isOpen, { toggle, close }] = useDisclosure()
  const place = usePlace()
  useKeptFocus()
  // On a phone the menu lies over the page, or is out of sight.
  const isNarrow = useMediaQuery('(max-width: 47.99em)')
  const burger = useRef<HTMLButtonElement>(null)
  const closeByKey = () => {
    if (isNarrow && isOpen) burger.current?.focus()
    close()
  }
  useHotkeys([['Escape', closeByKey, { preventDefault: false }]], [])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t('skip')}
      </button>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="xs">
            <Burger
              ref={burger}
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={isOpen}
            />
            <Text fw={700} visibleFrom="xs">
              {t('product')}
            </Text>
          </Group>
          <Palette />
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Places />
            <Bell />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('menu')} inert={isNarrow && !isOpen}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <Pages onChoose={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} inert={isNarrow && isOpen}>
        <Offline />
        {/* What a page has begun in one organization or space is not gone on with in another. */}
        <Fragment key={`${place.org} ${place.space}`}>
          <PageOfPlace />
        </Fragment>
      </AppShell.Main>
    </AppShell>
  )
}

/** The page, unless the user is known not to be in the organization that it is about: then there is nothing that it could show. */
function PageOfPlace() {
  const { t } = useTranslation()
  const organizations = useOrganizations().data?.organizations ?? []
  const organization = useOrganization()
  if (organizations.length === 0 || organization !== undefined) return <Outlet />
  return (
    <Page title={t('organization')}>
      <NotIn organizations={organizations} />
    </Page>
  )
}

function Pages({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const leaving = useSignOut()
  const shown = useMenu()
  const here = placeInMenu(pathname)
  return (
    <>
      {shown.map(({ name, pages }) => (
        <section key={name} aria-label={t(name)}>
          <Text size="xs" c="dimmed" px="sm" mt="xs">
            {t(name)}
          </Text>
          {pages.map(({ to, name }) => {
            const isHere = to === here
            return (
              <PageNavLink
                key={to}
                to={to}
                label={t(name)}
                active={isHere}
                // What the router takes for active too is each page that the address begins with.
                activeOptions={{ exact: true }}
                aria-current={isHere ? 'page' : undefined}
                onClick={onChoose}
              />
            )
          })}
        </section>
      ))}
      <Group mt="md" px="xs">
        <Preferences />
        <ActButton variant="default" size="xs" doing={leaving}>
          {t('signOut')}
        </ActButton>
      </Group>
      {leaving.error === null ? null : <ErrorNote error={leaving.error} />}
    </>
  )
}

/** The page of the menu that an address belongs to: that whose own is the longest that it begins with. */
function placeInMenu(pathname: string): string | undefined {
  return menu
    .flatMap(({ pages }) => pages.map(({ to }): string => to))
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0]
}

/** Which organization and space the pages are about. */
function Places() {
  const { t } = useTranslation()
  const place = usePlace()
  const go = useSwitchPlace()
  const { data } = useOrganizations()
  const organizations = data?.organizations ?? []
  const here = useOrganization()?.id
  const choices = organizations.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      {organizations.length === 0 ? null : (
        <NativeSelect
          size="xs"
          miw={0}
          aria-label={t('organization')}
          // Where the page is about none of them, none is shown as chosen, so that each can be.
          data={here === undefined ? [{ value: '', label: '', disabled: true }, ...choices] : choices}
          value={here ?? ''}
          onChange={({ target }) => go({ ...place, org: target.value })}
        />
      )}
      <NativeSelect
        size="xs"
        // Where there is little room the organization's name gives way: of this a letter would be left.
        style={{ flexShrink: 0 }}
        aria-label={t('space')}
        data={[
          { value: 'live', label: t('space.live') },
          { value: 'test', label: t('space.test') },
        ]}
        value={place.space ?? 'live'}
        onChange={({ target }) => go({ ...place, space: target.value === 'test' ? 'test' : undefined })}
      />
    </Group>
  )
}
