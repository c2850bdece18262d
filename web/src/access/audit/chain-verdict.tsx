import type { AuditVerdict } from '@limber/contract/access/audit/audit.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UseMutationResult } from '@tanstack/react-query'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'

const rows = (count: number) => pluralize(count, 'row')

function words({ checked, waiting }: AuditVerdict): string {
  const later = waiting > 0 ? ` ${rows(waiting)} ${waiting === 1 ? 'is' : 'are'} too new to be sealed.` : ''
  return `The chain is whole: ${rows(checked)} checked.${later}`
}

/** What the check of the chain found; a break names its first row. */
export function ChainVerdict({ verify }: { verify: UseMutationResult<AuditVerdict, Error, void> }) {
  if (verify.isError) return <FailureNote error={verify.error} />
  const verdict = verify.data
  if (!verdict) return null
  if (verdict.isWhole) {
    return (
      <Banner kind="green" onDismiss={() => verify.reset()}>
        {words(verdict)}
      </Banner>
    )
  }
  return (
    <Banner kind="red">
      The chain is broken. The first bad row is {verdict.badId ?? 'unknown'}: {verdict.problem ?? 'it does not fit.'}{' '}
      {rows(verdict.checked)} before it fit.
    </Banner>
  )
}
