import type { AuditRow } from '@limber/contract/access/audit/audit.ts'
import { actionLabel, subjectLabel } from './audit-labels.ts'

/** What cannot be read from the name of the action. `{}` is the record. */
const PHRASES: Readonly<Record<string, string>> = {
  authenticator_begun: 'began to set up an authenticator',
  campaign_push_asked: 'asked to send {} to Meta',
  campaign_status: 'changed the status of {}',
  device_code_sent_again: 'asked for another device code',
  error_came_again: 'reported {} again',
  first_link_made: 'made the first sign-in link',
  lead_conversion_undone: 'undid the conversion of {}',
  lead_lost_reason: 'changed why {} is not interested',
  lead_status: 'changed the status of {}',
  link_sent_again: 'sent the link of {} again',
  multi_device_enabled: 'allowed several devices for {}',
  onboarded: 'finished onboarding',
  partner_outreach_sent: 'sent outreach to {}',
  passkey_proven: 'confirmed with a passkey',
  passkey_set_up: 'set up a passkey',
  rows_imported: 'imported rows',
  sample_door_opened: 'opened the sample company',
  session_not_held: 'marked {} as not held',
  setup_guide_hidden: 'hid the setup guide',
  setup_guide_shown: 'showed the setup guide',
  sign_in_started: 'started to sign in',
  signed_in: 'signed in',
  signed_out: 'signed out',
  signed_out_everywhere: 'signed out everywhere',
  stepped_up: 'confirmed their identity again',
  ticket_followed_up: 'opened a follow-up of {}',
  ticket_kind: 'changed the kind of {}',
  ticket_priority: 'changed the priority of {}',
  ticket_replied: 'replied to {}',
  ticket_status: 'changed the status of {}',
  two_factor_proven: 'confirmed with a code',
  two_factor_secret_made: 'began to set up two-factor codes',
  two_factor_switched_off: 'turned off two-factor codes of {}',
  verification_sent: 'sent the verification email to {} again',
  webhook_switched_off: 'turned off {}',
}

const PARTICIPLES = /ed$|^(sent|made|shown|kept|reset|split|written|undone)$/
/** The past tense, where the participle differs. */
const PAST: Readonly<Record<string, string>> = { shown: 'showed', undone: 'undid', written: 'wrote' }

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const PEOPLE = ['customer', 'earner', 'lead', 'stretcher', 'worker']

/** `customer Camille Okafor`, `ticket 7 “Charged twice”`, or the number of a record without a name. */
function recordText({ subject, subjectId, subjectName }: AuditRow): string {
  const kind = subject && lowerFirst(subjectLabel(subject))
  const number = subjectName === null || subject === 'ticket' ? subjectId : null
  const name = subjectName && (PEOPLE.includes(subject ?? '') ? subjectName : `“${subjectName}”`)
  return [kind, number, name].filter(Boolean).join(' ')
}

/** `contact_corrected` of a customer becomes `corrected the contact of customer 8`. */
function phraseOf(action: string, subject: string | null): string | undefined {
  const words = action.split(/[._]/)
  const participle = words.pop() ?? ''
  if (!PARTICIPLES.test(participle)) return
  if (participle === 'noted') return 'added a note to {}'
  const verb = PAST[participle] ?? participle
  const noun = words.join('_')
  if (noun === '') return `${verb} {}`
  if (!subject) return `${verb} the ${noun.replaceAll('_', ' ')}`
  if (subject === noun || `${subject}s` === noun || subject.endsWith(`_${noun}`)) return `${verb} {}`
  const part = noun.startsWith(`${subject}_`) ? noun.slice(subject.length + 1) : noun
  return `${verb} the ${part.replaceAll('_', ' ')} of {}`
}

const textOf = (values: unknown, name: string): string | undefined => {
  const value = typeof values === 'object' && values !== null ? (values as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== '' && value.length <= 40 ? actionLabel(value) : undefined
}

/** ` from New to Contacted`, for actions that are named after the only thing that they change. */
function changeOf({ action, before, after }: AuditRow): string {
  const name = /_(status|kind|priority)$/.exec(action)?.[1]
  if (!name) return ''
  const [from, to] = [textOf(before, name), textOf(after, name)]
  if (!to) return ''
  return from ? ` from ${from} to ${to}` : ` to ${to}`
}

/** What somebody did, after their name. */
export function auditPhrase(entry: AuditRow): string {
  const { action, outcome, subject } = entry
  const record = recordText(entry)
  const phrase = outcome === 'done' ? (PHRASES[action] ?? phraseOf(action, subject)) : undefined
  if (!phrase) return `${lowerFirst(actionLabel(action))}${record && `, ${record}`}`
  return `${phrase.replace(' {}', () => record && ` ${record}`)}${changeOf(entry)}`.replace(/ (of|to)$/, () => '')
}

/** Who did it, as the start of a sentence. */
export const auditActor = ({ worker, actor }: AuditRow) =>
  worker ? (worker.name ?? `Worker ${worker.id}`) : (actor ?? 'Someone not signed in')
