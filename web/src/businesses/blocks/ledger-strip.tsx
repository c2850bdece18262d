import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { StackedBar } from '#ui/charts/stacked-bar.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import styles from '../business/business-detail.module.css'
import { ledgerQuery } from './block.api.ts'

/** The balance of a business: granted = available + scheduled + delivered + expired. */
export function LedgerStrip({ businessId, onOpen }: { businessId: number; onOpen: () => void }) {
  const query = useQuery(ledgerQuery(businessId))
  return (
    <div className={styles.ledger}>
      <QueryView query={query} loading={<BlockSkeleton height={44} />} failure="Couldn't load hours">
        {({ ledger }) => (
          <>
            <span className={styles.granted}>
              Granted <b>{ledger.granted.hours} h</b>
            </span>
            <StackedBar
              parts={[
                { label: 'available', value: ledger.available.hours, text: `${ledger.available.hours} h`, series: 1 },
                { label: 'scheduled', value: ledger.scheduled.hours, text: `${ledger.scheduled.hours} h`, series: 2 },
                { label: 'delivered', value: ledger.delivered.hours, text: `${ledger.delivered.hours} h`, series: 3 },
                { label: 'expired', value: ledger.expired.hours, text: `${ledger.expired.hours} h`, series: 'prev' },
              ]}
            />
            <Button variant="default" size="xs" onClick={onOpen}>
              Ledger
            </Button>
          </>
        )}
      </QueryView>
    </div>
  )
}
