import { Text } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Asked } from './asked.tsx'
import { ButtonLink } from './links.tsx'
import { Nothing, Page } from './page.tsx'
import { useProfile } from './use-profile.ts'

/** The pages of who runs the service, and for everybody else what to do instead; the service itself refuses their requests. */
export function OperatorsOnly() {
  const { t } = useTranslation()
  const profile = useProfile()
  if (profile.data?.is_platform_admin === true) return <Outlet />
  return (
    <Page title={t('operators.forbidden')}>
      <Asked query={profile}>
        {() => (
          <Nothing title={t('operators.forbiddenText')}>
            <Text>{t('operators.forbiddenHint')}</Text>
            <ButtonLink to="/" variant="default">
              {t('missing.back')}
            </ButtonLink>
          </Nothing>
        )}
      </Asked>
    </Page>
  )
}
