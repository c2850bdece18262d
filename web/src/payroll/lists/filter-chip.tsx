import { IconX } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './filter-chip.module.css'

/** A filter that was set elsewhere: says what it is, and goes by a press. */
export function FilterChip({ children, onClear }: { children: string; onClear: () => void }) {
  return (
    <button type="button" className={styles.chip} aria-label={`Stop filtering by ${children}`} onClick={onClear}>
      {children}
      <Icon of={IconX} size={12} />
    </button>
  )
}
