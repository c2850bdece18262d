import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './training.module.css'

/** Filters a loaded list while typing. */
export function FindField({ label, value, onChange }: { label: string; value: string; onChange: (q: string) => void }) {
  return (
    <TextInput
      className={styles.find ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<Icon of={IconSearch} size={14} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
