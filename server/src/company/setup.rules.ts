import type { PermissionName } from '@limber/contract/access/permissions.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import type { SetupStep, StepId, StepState } from '@limber/contract/company/setup.ts'

/** What the database says about the steps. */
export interface SetupFacts {
  name: string
  time_zone: string
  is_saved: boolean
  is_hidden: boolean
  tested_at: Date | null
  tested_server: string | null
  test_ok: boolean | null
  key_kept_by: string | null
  zone: string | null
  colleague: { name: string; created_at: string; onboarded_at: string | null } | null
  api_key: { name: string; last_used_at: string | null } | null
  has_customers: boolean
  payroll_starts_on: string | null
}

/** Who may do a step: holders of a permission, or Owners only. */
const doers: Readonly<Record<StepId, PermissionName | 'owner'>> = {
  company: 'owner',
  mail: 'owner',
  'backup-key': 'owner',
  zone: 'businesses.manage',
  colleague: 'access.manage',
  'api-key': 'access.manage',
  customers: 'access.manage',
  payroll: 'payroll.settings',
  texts: 'owner',
  ads: 'owner',
}

interface Doer {
  role: string | null
  permissions: ReadonlySet<string>
}

export const mayDo = ({ role, permissions }: Doer, step: StepId): boolean => {
  const needed = doers[step]
  return needed === 'owner' ? role === 'Owner' : permissions.has(codeOf(needed))
}

/** What the process knows besides the database. */
export interface Connections {
  /** The mail server that is used. */
  mail: string | undefined
  hasBackupKey: boolean
  hasTexts: boolean
  hasAds: boolean
}

const stateOf = (isDone: boolean, isStarted = false): StepState => (isDone ? 'done' : isStarted ? 'started' : 'open')
const momentOf = (at: string | null | undefined) => (at ? new Date(at).toISOString() : null)

/** The mail server is done when a test email went through the server that is used now. */
function mailStep(facts: SetupFacts, mail: string | undefined): SetupStep {
  const isTested = mail !== undefined && facts.tested_server === mail && facts.tested_at !== null
  const state = isTested ? (facts.test_ok ? 'done' : 'failed') : stateOf(false, mail !== undefined)
  const testedAt = isTested ? (facts.tested_at?.toISOString() ?? null) : null
  return { id: 'mail', state, server: mail ?? null, testedAt }
}

/** Every step with its state, read from data. */
export function stepsOf(facts: SetupFacts, { mail, hasBackupKey, hasTexts, hasAds }: Connections): SetupStep[] {
  const { colleague, api_key, key_kept_by, zone, payroll_starts_on } = facts
  return [
    { id: 'company', state: stateOf(facts.is_saved), name: facts.name, timeZone: facts.time_zone },
    mailStep(facts, mail),
    { id: 'backup-key', state: stateOf(key_kept_by !== null), isSetUp: hasBackupKey, keptBy: key_kept_by },
    { id: 'zone', state: stateOf(zone !== null), name: zone },
    {
      id: 'colleague',
      state: stateOf(Boolean(colleague?.onboarded_at), colleague !== null),
      name: colleague?.name ?? null,
      since: momentOf(colleague?.onboarded_at ?? colleague?.created_at),
    },
    {
      id: 'api-key',
      state: stateOf(Boolean(api_key?.last_used_at), api_key !== null),
      name: api_key?.name ?? null,
      usedAt: momentOf(api_key?.last_used_at),
    },
    { id: 'customers', state: stateOf(facts.has_customers) },
    { id: 'payroll', state: stateOf(payroll_starts_on !== null), startsOn: payroll_starts_on },
    { id: 'texts', state: stateOf(hasTexts) },
    { id: 'ads', state: stateOf(hasAds) },
  ]
}
