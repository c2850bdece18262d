import { Menu } from '@mantine/core'
import { IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSession, useSignOut } from '#platform/session/session.tsx'
import { OpenMenu } from '#ui/dialog/open-menu.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './top-bar.module.css'

/** The items of the account menu. */
export default function AccountMenuItems() {
  const { worker } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <OpenMenu width={240}>
      <div className={styles.whoHead}>
        <div className={styles.whoTitle}>{worker.name}</div>
        <div className={styles.whoMail}>{worker.email}</div>
      </div>
      <Menu.Divider />
      <Menu.Item
        leftSection={<Icon of={IconUserCircle} />}
        onClick={() => void navigate({ to: '/dashboard/worker-profile' })}
      >
        My profile
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon of={IconLogout} />}
        disabled={signOut.isPending}
        onClick={() =>
          void signOut
            .mutateAsync()
            .catch((error: unknown) => toastFailure("Couldn't sign out. You are still signed in.", error))
        }
      >
        Sign out
      </Menu.Item>
    </OpenMenu>
  )
}
