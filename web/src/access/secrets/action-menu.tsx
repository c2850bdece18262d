import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy } from 'react'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import type { ActionItem } from './action-items.tsx'

const load = () => import('./action-items.tsx')
const ActionItems = lazy(load)

/** Three dots that open a menu. */
export function ActionMenu({ label, items }: { label: string; items: readonly ActionItem[] }) {
  const button = (
    <ActionIcon variant="subtle" color="gray" size={28} aria-label={label}>
      <Icon of={IconDots} />
    </ActionIcon>
  )
  return (
    <LazyMenu button={button} load={load}>
      <ActionItems items={items} />
    </LazyMenu>
  )
}
