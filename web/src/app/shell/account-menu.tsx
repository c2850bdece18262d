import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { lazy } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './top-bar.module.css'

const load = () => import('./account-menu-items.tsx')
const AccountMenuItems = lazy(load)

/** The menu of the signed-in worker: name, email, profile, sign out. */
export function AccountMenu() {
  const { worker } = useSession()
  const button = (
    <UnstyledButton className={styles.who ?? ''} aria-label={`Signed in as ${worker.name}`}>
      <Avatar name={worker.name} tone="teal" />
      <span className={styles.whoName}>{worker.name}</span>
      <Icon of={IconChevronDown} size={14} className={styles.whoName ?? ''} />
    </UnstyledButton>
  )
  return (
    <LazyMenu button={button} load={load}>
      <AccountMenuItems />
    </LazyMenu>
  )
}
