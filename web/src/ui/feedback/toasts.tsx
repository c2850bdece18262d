import { ActionIcon, Button } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from '../layout/icon.tsx'
import { currentToasts, dismiss, type Toast, watchToasts } from './toast-store.ts'
import styles from './toasts.module.css'

const STATUS_DURATION = 5_000

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const { id, kind, action, duration: lasts = STATUS_DURATION } = toast

  useEffect(() => {
    if (kind === 'alert' || isHeld) return
    const timer = setTimeout(() => dismiss(id), lasts)
    return () => clearTimeout(timer)
  }, [id, kind, isHeld, lasts])

  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer
    <div
      className={styles.toast}
      data-kind={kind}
      role={kind}
      {...hold}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon of={kind === 'alert' ? IconAlertCircle : IconCircleCheck} />
      <div className={styles.text}>
        <div className={toast.detail ? styles.strong : undefined}>{toast.text}</div>
        {toast.detail && <div className={styles.detail}>{toast.detail}</div>}
      </div>
      {action && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <ActionIcon size={28} aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon of={IconX} />
      </ActionIcon>
    </div>
  )
}

/** Renders the toasts at the bottom right. Mounted once, next to the router. */
export function ToastHost() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts)
  return (
    <section className={styles.host} aria-label="Messages">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}
