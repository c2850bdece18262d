import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { runWork } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import { type ExpiryWarning, takeWarnings } from './expiry-warning.queries.ts'

const BATCH_SIZE = 100

function warningMail({ type_name, first_name, email, valid_until, days_left }: ExpiryWarning, from: string): Mail {
  const rest = days_left === 0 ? 'expires today' : `expires in ${pluralize(days_left, 'day')}`
  return {
    to: email,
    subject: `Your certification “${type_name}” ${rest}`,
    text: [
      `Hi ${first_name},`,
      '',
      `Your certification “${type_name}” is valid until ${formatDay(valid_until)}.`,
      'Please renew it. Without it, you cannot be scheduled for on-site sessions after that day.',
      '',
      from,
    ].join('\n'),
  }
}

/** Warns stretchers 60, 30 and 7 days before a certification expires. Each warning is sent once. */
export async function warnOfExpiry(services: Services) {
  const from = services.company.current().name || 'Limber'
  let warned = 0
  for (let found = BATCH_SIZE; found === BATCH_SIZE; ) {
    found = await runWork(services, { call: 'schedule certification-warnings' }, async ({ db, enqueue }) => {
      const warnings = await takeWarnings(db, BATCH_SIZE)
      for (const warning of warnings)
        enqueue({
          channel: 'mail',
          key: `certification:${warning.id}:${warning.valid_until}:${warning.days}`,
          about: `certification ${warning.id}`,
          payload: warningMail(warning, from),
        })
      return warnings.length
    })
    warned += found
  }
  return { warned }
}
