import type { Profile } from '@limber/contract/access/profile/profile.ts'
import { IconLock } from '@tabler/icons-react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { Entry, EntryList } from './entry-list.tsx'
import styles from './profile.module.css'

export function HeldPermissions({ permissions }: Pick<Profile, 'permissions'>) {
  return (
    <SectionCard title="Permissions" count={permissions.length} isFlush className={styles.last ?? ''}>
      {permissions.length === 0 ? (
        <EmptyState icon={IconLock} title="No permissions yet">
          A colleague who manages access can grant them.
        </EmptyState>
      ) : (
        <EntryList label="Permissions" isTight>
          {permissions.map(({ code, words }) => (
            <Entry key={code} title={words} actions={<code className={styles.code}>{code}</code>} />
          ))}
        </EntryList>
      )}
    </SectionCard>
  )
}
