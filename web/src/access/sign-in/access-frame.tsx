import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { accessKey, recoveriesQuery } from '../access.api.ts'
import styles from './access-frame.module.css'

const views = [
  { path: '/worker/tech/access', title: 'Workers' },
  { path: '/worker/tech/access/recoveries', title: 'Recoveries' },
  { path: '/worker/tech/access/audit', title: 'Audit log' },
  { path: '/worker/tech/access/api-keys', title: 'API keys' },
  { path: '/worker/tech/access/webhooks', title: 'Webhooks' },
]

/** The header and tabs of Access & audit. */
export function AccessFrame({
  context,
  actions,
  children,
}: {
  context: string
  actions?: ReactNode
  children: ReactNode
}) {
  useLiveRefresh('access', accessKey)
  const waiting = useQuery(recoveriesQuery({ state: 'open', limit: '1' })).data?.pagination.totalItems ?? 0
  return (
    <>
      <PageHead title="Access & audit" actions={actions}>
        {context}
      </PageHead>
      <nav className={styles.views} aria-label="Access & audit">
        {views.map(({ path, title }) => (
          <Link
            key={path}
            to={path}
            className={styles.view ?? ''}
            activeProps={{}}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {title}
            {title === 'Recoveries' && waiting > 0 && <span className={styles.count}>{waiting}</span>}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}
