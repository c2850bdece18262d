import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy } from 'react'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Icon } from '#ui/layout/icon.tsx'

const load = () => import('./period-file-menu.tsx')
const PeriodFileMenu = lazy(load)

/** Downloads a pay period for another program. */
export function PeriodFiles({ id, name }: { id: number; name: string }) {
  const button = (
    <Button
      variant="default"
      size="xs"
      aria-label={`Files of ${name}`}
      leftSection={<Icon of={IconDownload} size={14} />}
    >
      Files
    </Button>
  )
  return (
    <LazyMenu button={button} load={load}>
      <PeriodFileMenu id={id} />
    </LazyMenu>
  )
}
