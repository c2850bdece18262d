import { ActionIcon } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Icon } from '../layout/icon.tsx'
import styles from './banner.module.css'

const icons = {
  plain: IconInfoCircle,
  blue: IconInfoCircle,
  green: IconCircleCheck,
  amber: IconAlertTriangle,
  red: IconAlertCircle,
}

interface Props {
  kind?: keyof typeof icons
  children: ReactNode
  action?: ReactNode
  onDismiss?: () => void
}

/** An inline message. Screen readers announce red ones at once and green ones politely. */
export function Banner({ kind = 'plain', children, action, onDismiss }: Props) {
  const role = kind === 'red' ? 'alert' : kind === 'green' ? 'status' : undefined
  return (
    <div className={styles.note} data-kind={kind} {...(role ? { role } : {})}>
      <Icon of={icons[kind]} />
      <div className={styles.text}>{children}</div>
      {action}
      {onDismiss && (
        <ActionIcon className={styles.dismiss ?? ''} size={28} aria-label="Dismiss" onClick={onDismiss}>
          <Icon of={IconX} />
        </ActionIcon>
      )}
    </div>
  )
}
