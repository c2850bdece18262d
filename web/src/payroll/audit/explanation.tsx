import type { Explanation } from '@limber/contract/payroll/audit/explanation.ts'
import type { Side } from '@limber/contract/payroll/values.ts'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconExternalLink, IconIdBadge2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchState } from '#platform/routing/search.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { sideLabels } from '../labels.ts'
import { explanationQuery } from './audit.api.ts'
import styles from './explanation.module.css'
import { basisLines, explanationText, type Line, sideLines } from './explanation-lines.ts'
import { TaxAuditSearch } from './tax-audit-search.ts'

function Steps({ caption, lines }: { caption: string; lines: readonly Line[] }) {
  return (
    <table className={styles.steps}>
      <caption>{caption}</caption>
      <tbody>
        {lines.map(({ kind, label, working, amount }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one explanation never change their order
          <tr key={index} data-kind={kind}>
            <th scope="row">{label}</th>
            <td className={styles.working}>{working}</td>
            <td className={styles.amount}>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const copy = (explanation: Explanation) =>
  navigator.clipboard.writeText(explanationText(explanation)).then(
    () => toast('Steps copied.'),
    () =>
      toastFailure("Couldn't copy the steps", undefined, {
        detail: 'Your browser blocked access to the clipboard.',
      }),
  )

function Causes({ explanation }: { explanation: Explanation }) {
  const { likely_causes, payroll_id, earner_id } = explanation
  const [, change] = useSearchState(TaxAuditSearch)
  const sides: Side[] = ['employee', 'employer']
  return (
    <section className={styles.cause} aria-label="Likely cause">
      <h3>Likely cause</h3>
      {sides.map((side) => {
        const cause = likely_causes.find((one) => one.side === side)
        return (
          <p key={side}>
            {sideLabels[side]}: {cause?.text ?? (explanation[side].discrepancy === 0 ? 'No difference.' : 'Unknown.')}
          </p>
        )
      })}
      <div className={styles.actions}>
        <Button size="xs" leftSection={<Icon of={IconCheck} />} onClick={() => change({ fix: payroll_id })}>
          Fix this entry
        </Button>
        <RecordButton
          to="/worker/financial/details"
          search={{ entry: payroll_id }}
          needs="payroll.details"
          icon={IconExternalLink}
          size="xs"
        >
          Open payroll entry
        </RecordButton>
        <RecordButton
          to="/worker/financial/earners"
          search={{ earner: earner_id }}
          needs={['payroll.details', 'payroll.audit']}
          icon={IconIdBadge2}
          size="xs"
        >
          Open earner
        </RecordButton>
        <Button variant="default" size="xs" leftSection={<Icon of={IconCopy} />} onClick={() => void copy(explanation)}>
          Copy steps
        </Button>
      </div>
    </section>
  )
}

function Sources({ explanation: { sources, year, notice } }: { explanation: Explanation }) {
  const publications = [...new Set(sources.map(({ publication }) => publication))]
  return (
    <section className={styles.sources} aria-label={`Tax rules for ${year}`}>
      <h3>Tax rules for {year}</h3>
      <ul>
        {publications.map((publication) => (
          <li key={publication}>{publication}</li>
        ))}
      </ul>
      <p>{notice}</p>
    </section>
  )
}

export function ExplanationView({ id }: { id: number }) {
  const query = useQuery(explanationQuery(id))
  return (
    <QueryView
      query={query}
      failure="Couldn't load steps"
      loading={
        <div className={styles.loading}>
          <TextSkeleton lines={6} />
        </div>
      }
    >
      {(explanation) => (
        <div className={styles.why}>
          <Steps caption="Employee side" lines={[...basisLines(explanation), ...sideLines(explanation, 'employee')]} />
          <div>
            <Steps caption="Employer side" lines={sideLines(explanation, 'employer')} />
            <Causes explanation={explanation} />
            <Sources explanation={explanation} />
          </div>
        </div>
      )}
    </QueryView>
  )
}
