import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Within so long a second click belongs to a double click. */
const doubleClickMs = 500

/** A dialogue. The second click of a double click on what opened it lands outside of it, and does not close it. */
export function Dialogue({ opened, closeOnClickOutside = true, closeButtonProps, ...props }: ModalProps) {
  const { t } = useTranslation()
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!opened) return
    const timer = setTimeout(() => setSettled(true), doubleClickMs)
    return () => {
      clearTimeout(timer)
      setSettled(false)
    }
  }, [opened])
  return (
    <Modal
      opened={opened}
      closeOnClickOutside={closeOnClickOutside && isSettled}
      closeButtonProps={{ 'aria-label': t('close'), ...closeButtonProps }}
      transitionProps={{ duration: 0 }}
      {...props}
    />
  )
}
