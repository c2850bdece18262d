import { ActionIcon, Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { isLayerOpen } from '../dialog/layers.ts'
import { isLetterKey } from '../keyboard/is-page-key.ts'
import { useWindowKeys } from '../keyboard/use-window-keys.ts'
import { Icon } from '../layout/icon.tsx'
import type { RecordRef } from './history.api.ts'
import styles from './history-button.module.css'

const load = () => import('./history-drawer.tsx')
const HistoryDrawer = lazy(load)

interface Props {
  record: RecordRef
  /** `icon`: where there is no room for the word. */
  size?: 'xs' | 'sm' | 'icon'
  /** The record itself is in a dialog, so its history is one too. */
  isInDialog?: boolean
}

/** Opens the history of a record in a drawer: who changed what, when, from what to what. Also on Shift H. */
export function HistoryButton({ record, size = 'sm', isInDialog = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  useWindowKeys((event) => {
    if (event.key !== 'H' || !isLetterKey(event)) return
    if (!isOpen && isLayerOpen() !== isInDialog) return
    event.preventDefault()
    setOpen(!isOpen)
  })
  const common = {
    ...prefetchOnHover(load),
    className: styles.button ?? '',
    'aria-expanded': isOpen,
    onClick: () => setOpen(!isOpen),
  }
  return (
    <>
      {size === 'icon' ? (
        <ActionIcon size={32} aria-label="History" {...common}>
          <Icon of={IconHistory} />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          size={size}
          leftSection={<Icon of={IconHistory} size={size === 'xs' ? 14 : 16} />}
          {...common}
        >
          History
        </Button>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <HistoryDrawer
            key={`${record.kind} ${record.id}`}
            record={record}
            isInDialog={isInDialog}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
