import { Box, Container, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../parts/links.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useKeptFocus } from './kept-focus.ts'
import { Preferences } from './preferences.tsx'

/** The frame of pages for who is not signed in. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation()
  useTitle(title)
  useKeptFocus()
  return (
    <Box mih="100vh">
      <Group component="header" justify="space-between" p="md">
        <PageLink to="/" fw={700} c="inherit" underline="never">
          {t('product')}
        </PageLink>
        <Preferences />
      </Group>
      <Container component="main" id="content" tabIndex={-1} size="xs" py="xl">
        <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
          <Stack>
            <Title order={1} size="h2" tabIndex={-1}>
              {title}
            </Title>
            {children}
          </Stack>
        </Paper>
      </Container>
    </Box>
  )
}

export function Sentence({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>
}
