import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Language, languages } from '../i18n.ts'
import { useAsking } from '../parts/asking.ts'
import { organizationAt, useOrganizations } from '../parts/of-organization.tsx'
import { usePlace, useSwitchPlace } from '../parts/use-place.ts'
import { schemes } from './preferences.tsx'
import { useMenu } from './use-menu.ts'

/** Something that the palette does. */
export interface Choice {
  /** Tells it from the others. */
  key: string
  name: string
  /** What it is one of. */
  group: string
  run: () => void
  /** Where it may fail, which is said there. */
  staysOpen?: true
}

/** What may fail. */
interface Acts {
  signOut: () => void
  changeLanguage: (language: Language) => void
}

/** All that the palette offers whatever is typed. */
export function useChoices({ signOut, changeLanguage }: Acts): Choice[] {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const menu = useMenu()
  const switchPlace = useSwitchPlace()
  const { org, space = 'live' } = usePlace()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const organizations = useOrganizations().data?.organizations ?? []
  const here = organizationAt(org, organizations)?.id
  const other = space === 'live' ? 'test' : 'live'
  return [
    ...menu.flatMap(({ name: group, pages }) =>
      pages.map(({ to, name }) => ({
        key: to,
        name: t(name),
        group: t(group),
        run: () => void navigate({ to }),
      })),
    ),
    ...organizations
      .filter(({ id }) => id !== here)
      .map(({ id, name }) => ({
        key: id,
        name,
        group: t('organization'),
        run: () => switchPlace({ org: id, space: undefined }),
      })),
    {
      key: other,
      name: t(`space.${other}`),
      group: t('space'),
      run: () => switchPlace({ org, space: other === 'test' ? other : undefined }),
    },
    ...schemes
      .filter((scheme) => scheme !== colorScheme)
      .map((scheme) => ({
        key: scheme,
        name: t(`preferences.${scheme}`),
        group: t('preferences.colours'),
        run: () => setColorScheme(scheme),
      })),
    ...Object.entries(languages)
      .filter(([language]) => language !== i18n.language)
      .map(([language, name]) => ({
        key: language,
        name,
        group: t('preferences.language'),
        run: () => changeLanguage(language as Language),
        staysOpen: true as const,
      })),
    { key: 'sign out', name: t('signOut'), group: t('menu.person'), run: signOut, staysOpen: true },
  ]
}

/** Looks for what was typed in memories. */
export function useSearches(typed: string): Choice[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const asking = useAsking(['memories'])
  const q = typed.trim()
  if (q === '') return []
  return (['words', 'meaning'] as const).map((way) => ({
    key: way,
    name: t(`palette.search.${way}`, { q }),
    group: t('memories.title'),
    run: () => void asking(() => navigate({ to: '/memories', search: { way, q } })),
  }))
}
