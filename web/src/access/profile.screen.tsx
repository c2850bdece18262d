import { nameOf, wordsOf } from '@limber/contract/access/permissions.ts'
import { IconLock } from '@tabler/icons-react'
import { useSession } from '#platform/session.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Facts } from '#ui/facts.tsx'
import { PageHead } from '#ui/page-head.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import styles from './profile.module.css'

/** My profile: who I am here and what I may do. */
export default function Profile() {
  const { worker, workerId } = useSession()
  const permissions = worker.permissions.map((code) => {
    const name = nameOf(code)
    return { code, words: name ? wordsOf(name) : 'A permission that this version does not know' }
  })
  return (
    <>
      <PageHead title="My profile">What Limber knows about you and what is open to you.</PageHead>
      <div className={styles.columns}>
        <SectionCard title="You">
          <Facts>
            <Facts.Row label="Worker id">
              {workerId}
              <CopyButton text={String(workerId)} label="Copy worker id" />
            </Facts.Row>
            <Facts.Row label="Name">{worker.name}</Facts.Row>
            <Facts.Row label="E-mail">{worker.email}</Facts.Row>
            <Facts.Row label="Role">{worker.role ?? 'None'}</Facts.Row>
          </Facts>
        </SectionCard>
        <SectionCard title="Permissions" count={permissions.length} isFlush>
          {permissions.length === 0 ? (
            <EmptyState icon={IconLock} title="You hold no permission yet">
              Somebody who manages access can grant them.
            </EmptyState>
          ) : (
            <ul className={styles.permissions}>
              {permissions.map(({ code, words }) => (
                <li key={code} className={styles.permission}>
                  <span>{words}</span>
                  <code className={styles.code}>{code}</code>
                </li>
              ))}
            </ul>
          )}
        </SectionCard>
      </div>
    </>
  )
}
