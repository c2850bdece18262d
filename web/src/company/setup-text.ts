import type { SetupStep, StepId, StepState } from '@limber/contract/company/setup.ts'
import { dayText } from '#ui/format/day-text.ts'
import { momentText } from '#ui/format/moment-text.ts'

export const stepTitles: Readonly<Record<StepId, string>> = {
  company: 'Company profile',
  mail: 'Mail server',
  'backup-key': 'Keep the backup key elsewhere',
  zone: 'First zone',
  colleague: 'First colleague',
  'api-key': 'Connect your app',
  customers: 'Customers',
  payroll: 'Payroll starts on',
  texts: 'Text messages',
  ads: 'Ads',
}

export const stepGroups: readonly { title: string; steps: readonly StepId[] }[] = [
  { title: 'Needed to open', steps: ['company', 'mail', 'backup-key', 'zone', 'colleague'] },
  { title: 'Bring your data', steps: ['api-key', 'customers', 'payroll'] },
  { title: 'Optional', steps: ['texts', 'ads'] },
]

export const stateLabels: Readonly<Record<StepState, string>> = {
  open: 'to do',
  started: 'started',
  failed: 'failed',
  done: 'done',
}

/** One line about a step, from its data. */
export function stepText(step: SetupStep): string {
  const isDone = step.state === 'done'
  switch (step.id) {
    case 'company':
      return isDone ? `${step.name}, ${step.timeZone.replaceAll('_', ' ')}` : 'Name, postal address and time zone'
    case 'mail':
      if (step.state === 'open') return 'Without it no email leaves. Codes and links are on the command line.'
      if (step.state === 'started') return `${step.server} is set, but not tested`
      return `The test email ${isDone ? 'went out' : 'failed'} ${momentText(step.testedAt ?? '')}`
    case 'backup-key':
      if (!step.isSetUp) return 'Backups are not set up: set BACKUP_KEY and restart the server'
      return isDone
        ? `${step.keptBy} keeps a copy elsewhere`
        : 'Without it a backup cannot be opened. Print it or put it in a password manager.'
    case 'zone':
      return isDone ? `${step.name} is drawn` : 'Where you work. Customers and businesses belong to zones.'
    case 'colleague':
      if (step.state === 'open') return 'Someone who can help you back in'
      return isDone
        ? `${step.name} has signed in`
        : `${step.name} was invited ${momentText(step.since ?? '')} and has not signed in yet`
    case 'api-key':
      if (step.state === 'open') return 'An API key lets your app send customers and bookings'
      return isDone
        ? `Key “${step.name}” was last used ${momentText(step.usedAt ?? '')}`
        : `Key “${step.name}” exists. Waiting for its first call.`
    case 'customers':
      return isDone ? 'Customers are in' : 'Import a file, or let your app send them'
    case 'payroll':
      return isDone ? dayText(step.startsOn ?? '') : 'Sessions before this date make no wages'
    case 'texts':
      return isDone ? 'Connected' : 'A Twilio account and number, set where the server runs'
    case 'ads':
      return isDone ? 'Connected' : 'A Meta page, so that leads arrive by themselves'
  }
}
