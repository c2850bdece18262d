import { IconX } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './filter-chip.module.css'

/** Shows a filter that was set elsewhere on the page; clicking it clears the filter. */
export function FilterChip({ children, onClear }: { children: string; onClear: () => void }) {
  return (
    <button type="button" className={styles.chip} aria-label={`Clear filter: ${children}`} onClick={onClear}>
      {children}
      <Icon of={IconX} size={12} />
    </button>
  )
}
