import type { ErrorGroup } from '@limber/contract/tech/errors/error-log.ts'
import styles from '../tech.module.css'

export function ErrorTitle({ group: { status, method, path } }: { group: ErrorGroup }) {
  return (
    <>
      <span className={styles.status} data-broken={status >= 500 || undefined}>
        {status}
      </span>{' '}
      <span className={styles.muted}>{method}</span> {path}
    </>
  )
}

export const sourceLabels = { staff: 'Limber', customer: 'Customer app' } as const
