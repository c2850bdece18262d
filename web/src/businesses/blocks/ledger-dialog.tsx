import {
  exportLedger,
  LATEST_ENTRIES,
  type Ledger,
  type LedgerEntry,
} from '@limber/contract/businesses/blocks/block.ts'
import type { Business } from '@limber/contract/businesses/business/business.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { entryLabels } from '../labels.ts'
import { ledgerQuery } from './block.api.ts'
import styles from './ledger-dialog.module.css'

const lines = [
  ['Available balance', 'available'],
  ['Scheduled', 'scheduled'],
  ['Delivered', 'delivered'],
  ['Expired', 'expired'],
] as const

function BalanceRow({ label, of: { hours, slots, blocks } }: { label: string; of: Ledger['granted'] }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={figure}>{blocks}</td>
      <td className={figure}>{slots}</td>
      <td className={figure}>{hours} h</td>
    </tr>
  )
}

function Balance({ ledger }: { ledger: Ledger }) {
  const { fill_rate, taken_slots, delivered } = ledger
  return (
    <>
      <PlainTable label="Balance" isFramed>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col" className={figure}>
              Blocks
            </th>
            <th scope="col" className={figure}>
              Slots
            </th>
            <th scope="col" className={figure}>
              Hours
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([label, name]) => (
            <BalanceRow key={name} label={label} of={ledger[name]} />
          ))}
          <BalanceRow label="Total granted" of={ledger.granted} />
          <BalanceRow label="Returned by canceled sessions" of={ledger.returned} />
        </tbody>
      </PlainTable>
      <p className={styles.rate}>
        {fill_rate === null
          ? 'No delivered sessions yet, so there is no fill rate.'
          : `Fill rate ${Math.round(fill_rate * 100)}%: ${taken_slots} of ${delivered.slots} slots of delivered sessions were taken.`}
      </p>
    </>
  )
}

function Movements({ entries }: { entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) return <p className={styles.rate}>No entries yet</p>
  return (
    <PlainTable label="Entries" isFramed>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Entry</th>
          <th scope="col">Block</th>
          <th scope="col" className={figure}>
            Hours
          </th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, kind, label, block_id, hours, by, reason }) => (
          <tr key={id}>
            <td>
              <Moment at={at} />
            </td>
            <td>
              <span className={styles.movement}>
                {entryLabels[kind]}
                {reason && <span className={styles.reason}>: {reason}</span>}
              </span>
            </td>
            <td>{label || `Block ${block_id}`}</td>
            <td className={figure}>{hours} h</td>
            <td>{by ?? 'Limber'}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

/** The prepaid hours of a business: the balance, the entries, and a CSV export of all of them. */
export default function LedgerDialog({ business, onClose }: { business: Business; onClose: () => void }) {
  const query = useQuery(ledgerQuery(business.id))
  const foot = (
    <>
      <span className={styles.foot}>
        <ExportButton call={exportLedger} params={{ id: String(business.id) }} />
      </span>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title="Prepaid hours" context={business.name} size={760} foot={foot}>
      <QueryView query={query} failure="Couldn't load hours">
        {({ ledger, entries }) => (
          <>
            <Balance ledger={ledger} />
            <Movements entries={entries} />
            {entries.length >= LATEST_ENTRIES && (
              <p className={styles.rate}>These are the last {LATEST_ENTRIES} entries. The CSV contains all of them.</p>
            )}
          </>
        )}
      </QueryView>
    </Dialog>
  )
}
