import type { SetupStep } from '@limber/contract/company/setup.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { now } from '#platform/clock.ts'
import { linkTo } from '#platform/routing/links.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { dayText } from '#ui/format/day-text.ts'
import { ShowBackupKey } from './backup-key-dialog.tsx'
import { useStartPayroll } from './company.api.ts'
import styles from './setup-guide.module.css'

/** The day on which payroll starts, saved in place. */
function StartPayroll() {
  const [day, setDay] = useState(companyDay(now()))
  const start = useStartPayroll()
  const save = (event: FormEvent) => {
    event.preventDefault()
    start.mutateAsync(day).then(
      () => toast(`Payroll starts on ${dayText(day)}.`),
      (error: unknown) => toastFailure("Couldn't save the start date", error),
    )
  }
  return (
    <form className={styles.inline} onSubmit={save}>
      <TextInput
        type="date"
        size="xs"
        aria-label="Payroll starts on"
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" size="xs" disabled={day === ''} loading={start.isPending}>
        Save
      </Button>
    </form>
  )
}

const places = {
  company: () => linkTo('/worker/tech/company'),
  mail: () => linkTo('/worker/tech/company'),
  'backup-key': () => linkTo('/worker/tech/company'),
  zone: (isDone: boolean) => linkTo('/worker/managing/zones', isDone ? {} : { zone: 'new' }),
  colleague: () => linkTo('/worker/tech/access'),
  'api-key': () => linkTo('/worker/tech/access/api-keys'),
  customers: () => linkTo('/worker/import', { kind: 'customers' }),
  payroll: () => linkTo('/worker/financial/settings'),
  texts: () => linkTo('/worker/tech/health'),
  ads: () => linkTo('/worker/tech/health'),
} as const

const labels: Readonly<Record<SetupStep['id'], readonly [open: string, done: string]>> = {
  company: ['Fill in', 'Edit'],
  mail: ['Set up', 'Edit'],
  'backup-key': ['Show key', 'Open'],
  zone: ['Draw a zone', 'Zones'],
  colleague: ['Invite', 'Workers'],
  'api-key': ['API keys', 'API keys'],
  customers: ['Import', 'Import'],
  payroll: ['Settings', 'Settings'],
  texts: ['How to connect', 'System health'],
  ads: ['How to connect', 'System health'],
}

/** The next action of a step: done here where that is possible, else a link to its place. */
export function StepAction({ step }: { step: SetupStep }) {
  const isDone = step.state === 'done'
  if (step.id === 'backup-key' && !isDone && step.isSetUp) return <ShowBackupKey size="xs" />
  if (step.id === 'payroll' && !isDone) return <StartPayroll />
  return (
    <Button
      size="xs"
      variant={isDone ? 'subtle' : 'default'}
      {...(isDone ? { color: 'gray' } : {})}
      renderRoot={(props) => <Link {...places[step.id](isDone)} {...props} />}
    >
      {labels[step.id][isDone ? 1 : 0]}
    </Button>
  )
}
