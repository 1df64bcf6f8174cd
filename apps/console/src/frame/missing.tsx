import { Container, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../parts/links.tsx'
import { useTitle } from '../parts/use-title.ts'

/** An address that leads to no page. */
export function Missing() {
  const { t } = useTranslation()
  useTitle(t('missing.title'))
  return (
    <Container component="main" size="xs" py="xl">
      <Stack>
        <Title order={1} tabIndex={-1}>
          {t('missing.title')}
        </Title>
        <Text>{t('missing.text')}</Text>
        <PageLink to="/">{t('missing.back')}</PageLink>
      </Stack>
    </Container>
  )
}
