import { VisuallyHidden } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from '../training.module.css'
import type { Reorder } from './use-reorder.ts'

/** The drag handle of a row; also a button, for the keyboard. */
export function DragHandle({ reorder, place, name }: { reorder: Reorder; place: number; name: string }) {
  return (
    <button type="button" className={styles.handle} aria-label={`Move ${name}`} {...reorder.handleOf(place)}>
      <Icon of={IconGripVertical} size={14} />
    </button>
  )
}

/** Announces the position of the row to screen readers. */
export function MoveAnnouncement({ reorder }: { reorder: Reorder }) {
  return <VisuallyHidden role="status">{reorder.announcement}</VisuallyHidden>
}
