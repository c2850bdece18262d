import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSession, useSignOut } from '#platform/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Icon } from '#ui/icon.tsx'
import { toastFailure } from '#ui/toast-store.ts'
import styles from './top-bar.module.css'

/** Who is signed in: name, e-mail, own profile, sign out. */
export function WhoMenu() {
  const { worker } = useSession()
  const navigate = useNavigate()
  const signOut = useSignOut()
  return (
    <Menu width={240} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={styles.who ?? ''} aria-label={`Signed in as ${worker.name}`}>
          <Avatar name={worker.name} tone="teal" />
          <span className={styles.whoName}>{worker.name}</span>
          <Icon of={IconChevronDown} size={14} className={styles.whoName ?? ''} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
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
            signOut.mutate(undefined, { onError: (error) => toastFailure('You are still signed in', error) })
          }
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
