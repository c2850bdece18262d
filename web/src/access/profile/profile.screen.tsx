import type { Profile } from '@limber/contract/access/profile/profile.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLive } from '#platform/live/live.ts'
import { sessionQuery } from '#platform/session/session.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { HeldPermissions } from './held-permissions.tsx'
import { MyAuthenticator } from './my-authenticator.tsx'
import { MyDevices } from './my-devices.tsx'
import { MyKeyboard } from './my-keyboard.tsx'
import { MyPasskeys } from './my-passkeys.tsx'
import { MyRecoveryCodes } from './my-recovery-codes.tsx'
import { MySessions } from './my-sessions.tsx'
import { profileQuery } from './profile.api.ts'
import styles from './profile.module.css'
import { ProfileEdit } from './profile-edit.tsx'

function You(profile: Profile) {
  const { id, name, email, role } = profile
  return (
    <SectionCard title="You" actions={role === 'Owner' && <ProfileEdit profile={profile} />}>
      <Facts>
        <Facts.Row label="Worker ID">
          {id}
          <CopyButton text={String(id)} label="Copy worker ID" />
        </Facts.Row>
        <Facts.Row label="Name">{name}</Facts.Row>
        <Facts.Row label="Email">{email}</Facts.Row>
        <Facts.Row label="Role">{role ?? 'None'}</Facts.Row>
      </Facts>
    </SectionCard>
  )
}

const loading = (
  <div className={styles.columns}>
    {['You', 'Passkeys'].map((title) => (
      <SectionCard key={title} title={title}>
        <TextSkeleton lines={4} />
      </SectionCard>
    ))}
  </div>
)

export default function ProfileScreen() {
  const query = useQuery(profileQuery)
  const cache = useQueryClient()
  const refresh = async () => {
    // If this session has ended, there is no profile to read.
    const session = await cache.fetchQuery({ ...sessionQuery, staleTime: 0 })
    if (session) await cache.invalidateQueries({ queryKey: profileQuery.queryKey })
  }
  useLive('session', () => void refresh())
  return (
    <>
      <PageHead title="My profile">Your account, sign-in methods and permissions.</PageHead>
      <QueryView query={query} loading={loading}>
        {(profile) => (
          <div className={styles.columns}>
            <div className={styles.column}>
              <You {...profile} />
              <MyKeyboard />
              <MyRecoveryCodes left={profile.recoveryCodesLeft} />
              <HeldPermissions permissions={profile.permissions} />
            </div>
            <div className={styles.column}>
              <MyPasskeys passkeys={profile.passkeys} />
              <MyAuthenticator />
              <MySessions sessions={profile.sessions} />
              <MyDevices devices={profile.devices} />
            </div>
          </div>
        )}
      </QueryView>
    </>
  )
}
