import { AppShell, Burger, Button, Group, NativeSelect, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Fragment, useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../parts/error-note.tsx'
import { PageNavLink } from '../parts/links.tsx'
import { useOrganizations } from '../parts/of-organization.tsx'
import { usePlace, useSwitchPlace } from '../parts/use-place.ts'
import { queryClient } from '../queries.ts'
import { session, signOut } from '../session/session.ts'
import { Bell } from './bell.tsx'
import { menu } from './menu.ts'
import { Offline } from './offline.tsx'
import { Palette } from './palette.tsx'
import { Preferences } from './preferences.tsx'
import { useMenu } from './use-menu.ts'

/** The frame of the pages for who is signed in. */
export function Shell() {
  const { t } = useTranslation()
  const [isOpen, { toggle, close }] = useDisclosure()
  const place = usePlace()
  useLeaving()
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
      <AppShell.Navbar aria-label={t('menu')}>
        <AppShell.Section grow component={ScrollArea} p="xs">
          <Pages onChoose={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Offline />
        {/* What a page has begun in one organization or space is not gone on with in another. */}
        <Fragment key={`${place.org} ${place.space}`}>
          <Outlet />
        </Fragment>
      </AppShell.Main>
    </AppShell>
  )
}

/** Leads away once the session is over, wherever it was ended, and says where to come back to. */
function useLeaving() {
  const router = useRouter()
  const accessToken = useSyncExternalStore(session.subscribe, () => session.accessToken)
  useEffect(() => {
    if (accessToken !== undefined) return
    queryClient.clear()
    const { ended } = session
    const to = ended === 'signed-out' ? undefined : router.state.location.href
    void router.navigate({ to: '/sign-in', search: { to, ended } })
  }, [accessToken, router])
}

function Pages({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const leaving = useMutation({ mutationFn: () => signOut() })
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
        <Button variant="default" size="xs" loading={leaving.isPending} onClick={() => leaving.mutate()}>
          {t('signOut')}
        </Button>
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
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      {organizations.length === 0 ? null : (
        <NativeSelect
          size="xs"
          miw={0}
          aria-label={t('organization')}
          data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          value={place.org ?? organizations[0]?.id ?? ''}
          onChange={({ target }) => go({ ...place, org: target.value })}
        />
      )}
      <NativeSelect
        size="xs"
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
