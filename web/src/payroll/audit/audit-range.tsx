import { Button, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { Icon } from '#ui/layout/icon.tsx'
import { lastDays } from '../labels.ts'
import type { AuditRange } from './audit.api.ts'
import styles from './tax-audit.module.css'

interface Props {
  range: AuditRange
  isRunning: boolean
  onRun: (range: AuditRange) => void
}

/** The date range of the audit. An empty field falls back to the last 30 days. */
export function AuditRangeForm({ range, isRunning, onRun }: Props) {
  const [start, setStart] = useState(range.startDate)
  const [end, setEnd] = useState(range.endDate)
  const fallback = lastDays()
  return (
    <form
      className={styles.range}
      onSubmit={(event) => {
        event.preventDefault()
        onRun({ startDate: start || fallback.startDate, endDate: end || fallback.endDate })
      }}
    >
      <TextInput
        type="date"
        aria-label="Start date"
        className={styles.day ?? ''}
        value={start}
        onChange={(event) => setStart(event.currentTarget.value)}
      />
      <span aria-hidden>to</span>
      <TextInput
        type="date"
        aria-label="End date"
        className={styles.day ?? ''}
        value={end}
        onChange={(event) => setEnd(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" leftSection={<Icon of={IconRefresh} />} loading={isRunning}>
        Run Audit
      </Button>
    </form>
  )
}
