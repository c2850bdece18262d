import type { AuditVerdict } from '@limber/contract/access/audit/audit.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UseMutationResult } from '@tanstack/react-query'
import { Banner } from '#ui/feedback/banner.tsx'
import { FailureNote } from '../failure-note.tsx'

const rows = (count: number) => pluralize(count, 'row')

function intactText({ checked, waiting }: AuditVerdict): string {
  const later = waiting > 0 ? ` ${rows(waiting)} ${waiting === 1 ? 'is' : 'are'} too new to check.` : ''
  return `The chain is intact: ${rows(checked)} checked.${later}`
}

/** The result of checking the chain. A broken chain names its first bad row. */
export function ChainVerdict({ verify }: { verify: UseMutationResult<AuditVerdict, Error, void> }) {
  if (verify.isError) return <FailureNote error={verify.error} />
  const verdict = verify.data
  if (!verdict) return null
  if (verdict.isWhole) {
    return (
      <Banner kind="green" onDismiss={() => verify.reset()}>
        {intactText(verdict)}
      </Banner>
    )
  }
  return (
    <Banner kind="red">
      The chain is broken. The first bad row is {verdict.badId ?? 'unknown'}:{' '}
      {verdict.problem ?? 'it does not match the chain.'} Valid rows before it: {formatInteger(verdict.checked)}.
    </Banner>
  )
}
