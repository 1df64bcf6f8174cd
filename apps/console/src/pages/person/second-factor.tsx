import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { ActButton } from '../../parts/act-button.tsx'
import { codeAsSent, isOfApp } from '../../parts/code-as-sent.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'

/** Turns the second factor on and off. */
export function SecondFactor({ isOn }: { isOn: boolean }) {
  const [codes, setCodes] = useState<string[]>()
  // They are shown this once, and stay until the page is left.
  if (codes !== undefined) return <RecoveryCodes codes={codes} />
  return isOn ? <TurnOff /> : <TurnOn onCodes={setCodes} />
}

function TurnOn({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const beginning = useMutation({ mutationFn: () => client.auth.setUpMfa() })
  const [code, setCode] = useState('')
  const verifying = useMutation({
    mutationFn: () => client.auth.verifyMfa({ code: codeAsSent(code) }),
    onSuccess: async ({ recovery_codes: codes }) => {
      onCodes(codes)
      await queryClient.invalidateQueries({ queryKey: ['profile'] })
    },
  })
  if (beginning.data === undefined) {
    return (
      <>
        <Text>{t('factor.off')}</Text>
        {beginning.error === null ? null : <ErrorNote error={beginning.error} />}
        <Group>
          <ActButton doing={beginning}>{t('factor.begin')}</ActButton>
        </Group>
      </>
    )
  }
  return (
    <Form label={t('factor.title')} onSend={() => verifying.mutateAsync()} error={verifying.error}>
      <Text>{t('factor.scan')}</Text>
      <QrCode text={beginning.data.otpauth_uri} />
      <Text size="sm">
        {t('factor.secret')} <Code>{beginning.data.secret}</Code>
      </Text>
      <CodeField autoFocus value={code} onChange={setCode} />
      {verifying.error === null ? null : <ErrorNote error={verifying.error} />}
      <Button type="submit" loading={verifying.isPending} style={{ alignSelf: 'flex-start' }}>
        {t('factor.verify')}
      </Button>
    </Form>
  )
}

function TurnOff() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [code, setCode] = useState('')
  const disabling = useMutation({
    mutationFn: () =>
      client.auth.disableMfa(isOfApp(code) ? { code: codeAsSent(code) } : { recovery_code: code }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['profile'] }),
  })
  return (
    <Form label={t('factor.title')} onSend={() => disabling.mutateAsync()} error={disabling.error}>
      <Text>{t('factor.on')}</Text>
      <CodeField isAnyCode value={code} onChange={setCode} />
      {disabling.error === null ? null : <ErrorNote error={disabling.error} />}
      <Button type="submit" color="red.9" loading={disabling.isPending} style={{ alignSelf: 'flex-start' }}>
        {t('factor.turnOff')}
      </Button>
    </Form>
  )
}

interface CodeFieldProps {
  /** Where it is what a pressed button opened. */
  autoFocus?: boolean
  /** Where a recovery code does too. */
  isAnyCode?: boolean
  value: string
  onChange: (value: string) => void
}

function CodeField({ autoFocus = false, isAnyCode = false, value, onChange }: CodeFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      name={isOfApp(value) || !isAnyCode ? 'code' : 'recovery_code'}
      label={t('factor.code')}
      {...(isAnyCode ? {} : { inputMode: 'numeric', pattern: '[0-9\\s]*' })}
      autoComplete="one-time-code"
      required
      autoFocus={autoFocus}
      maw={200}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert variant="outline" role="status" title={t('factor.isOn')} />
      <ShownOnce text={codes.join('\n')} label={t('factor.codesLabel')} once={t('factor.codes')} />
    </Stack>
  )
}

/** Dark on light in both schemes: not every camera reads the other way round. */
function QrCode({ text }: { text: string }) {
  const { t } = useTranslation()
  const { size, data } = useMemo(() => encode(text, { border: 4 }), [text])
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={t('factor.qr')}
      viewBox={`0 0 ${size} ${size}`}
      width="200"
      height="200"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
