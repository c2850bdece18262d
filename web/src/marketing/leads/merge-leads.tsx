import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { type LeadDetail, leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { areTwoCustomers, previewMerge } from '@limber/contract/marketing/leads/lead-merge.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { Moment } from '#ui/format/moment.tsx'
import { PlainTable } from '#ui/table/plain-table.tsx'
import { leadQuery, leadsQuery, useMergeLeads } from './lead.api.ts'
import { mergedText, nameOf, statusLabels } from './lead-labels.ts'
import styles from './merge-leads.module.css'

type Merged = ReturnType<typeof previewMerge>

const rows: readonly (readonly [string, (lead: Merged) => React.ReactNode])[] = [
  ['Name', nameOf],
  ...fieldFormatters(
    leadFields.filter(({ name }) => name !== 'first_name' && name !== 'last_name' && name !== 'campaign_id'),
    { blank: 'N/A' },
  ),
  ['Campaign', ({ campaign }) => campaign ?? 'N/A'],
  ['Status', ({ status }) => statusLabels[status]],
  ['Assigned to', ({ assignee }) => assignee?.name ?? 'Unassigned'],
  ['Customer', ({ customer }) => (customer ? `${customer.name}, number ${customer.id}` : 'N/A')],
  ['Created', ({ createdAt }) => <Moment at={createdAt} form="day" />],
  ['Notes', ({ notes }) => notes.length],
]

/** Leaves out the Customer row if neither lead has a customer. */
const rowsOf = (...leads: readonly LeadDetail[]) =>
  rows.filter(([label]) => label !== 'Customer' || leads.some(({ customer }) => customer))

interface SideProps {
  lead: LeadDetail
  isKept: boolean
  onKeep: () => void
}

function Side({ lead, isKept, onKeep }: SideProps) {
  return (
    <th scope="col">
      <label className={styles.choice}>
        <input type="radio" name="kept" checked={isKept} onChange={onKeep} />
        Keep lead {lead.id}
      </label>
    </th>
  )
}

/** Describes the effects that the table does not show. */
function Outcome({ kept, duplicate }: { kept: LeadDetail; duplicate: LeadDetail }) {
  const others = [
    kept.email && duplicate.email !== kept.email && duplicate.email,
    kept.phone && duplicate.phone && duplicate.phone !== kept.phone && formatPhone(duplicate.phone),
  ].filter(Boolean)
  return (
    <p className={styles.outcome} role="status">
      Lead {kept.id} is kept. The notes, answers and steps of lead {duplicate.id} move to it, and links to lead{' '}
      {duplicate.id} open it. Reports count the person once.
      {others.length > 0 && ` New leads with ${others.join(' or ')} are still recognized as this person.`}
    </p>
  )
}

interface BothProps {
  lead: LeadDetail
  other: LeadDetail
  keptId: number
  onKeep: (id: number) => void
}

/** Both leads side by side, with a preview of the result. */
function Both({ lead, other, keptId, onKeep }: BothProps) {
  const [kept, duplicate] = keptId === other.id ? [other, lead] : [lead, other]
  const merged = previewMerge(kept, duplicate)
  return (
    <>
      <PlainTable label="Both leads" isFramed>
        <thead>
          <tr className={styles.head}>
            <th scope="col">Field</th>
            {[lead, other].map((one) => (
              <Side key={one.id} lead={one} isKept={kept === one} onKeep={() => onKeep(one.id)} />
            ))}
            <th scope="col">After the merge</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(lead, other).map(([label, show]) => (
            <tr key={label} className={styles.row}>
              <th scope="row">{label}</th>
              <td>{show(lead)}</td>
              <td>{show(other)}</td>
              <td data-result>{show(merged)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {areTwoCustomers(kept, duplicate) ? (
        <Banner kind="red">These leads belong to two customers. Merge the customers first, in User Overview.</Banner>
      ) : (
        <Outcome kept={kept} duplicate={duplicate} />
      )}
    </>
  )
}

/** Selects the other lead with a server search. */
function OtherLead({ lead, value, onChoose }: { lead: LeadDetail; value: number; onChoose: (id: number) => void }) {
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  const { search, optionsOf, field } = useServerSearch(chosen ? [chosen] : [])
  const found = useQuery(leadsQuery({ limit: '10', ...(search && { search }) })).data?.leads ?? []
  const data = optionsOf(
    found
      .filter(({ id }) => id !== lead.id)
      .map((one) => ({
        value: String(one.id),
        label: `${nameOf(one)}, ${one.email ?? one.phone ?? 'no contact'}, lead ${one.id}`,
      })),
  )
  return (
    <Select
      label="Other lead"
      placeholder="Search by name, email or phone"
      {...field}
      nothingFoundMessage="No leads found"
      data={data}
      value={value === 0 ? null : String(value)}
      onChange={(next) => {
        setChosen(data.find((one) => one.value === next))
        onChoose(Number(next ?? 0))
      }}
    />
  )
}

const Loaded = z.object({ isLoaded: z.literal(true) })

interface Props {
  lead: LeadDetail
  /** The other lead; without it, the dialog asks for it. */
  otherId?: number
  onClose: () => void
}

/** Merges two leads of the same person. */
export function MergeLeads({ lead, otherId, onClose }: Props) {
  const [chosenId, setChosen] = useState(otherId ?? 0)
  const [keptId, setKept] = useState(lead.id)
  const query = useQuery({ ...leadQuery(chosenId), enabled: chosenId > 0 })
  const merge = useMergeLeads()
  const other = chosenId > 0 ? query.data : undefined
  const mutation = {
    mutateAsync: async () => {
      if (!other) return
      const [kept, duplicate] = keptId === other.id ? [other, lead] : [lead, other]
      const versions = { version: kept.version, duplicateVersion: duplicate.version }
      const merged = await merge.mutateAsync({ keptId: kept.id, duplicateId: duplicate.id, ...versions })
      // If the open lead was the duplicate, the detail view redirects and shows the toast.
      if (merged.id === lead.id) toast(mergedText(duplicate.id, merged))
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Merge two leads"
      context="For two leads of the same person. Select the lead to keep. This cannot be undone."
      submit="Merge"
      isDestructive
      size={760}
      schema={Loaded}
      // Submit is blocked until both leads are shown.
      fixed={other ? { isLoaded: true } : {}}
      mutation={mutation}
    >
      {otherId === undefined && <OtherLead lead={lead} value={chosenId} onChoose={setChosen} />}
      {chosenId > 0 && (
        <QueryView query={query} failure="Couldn't load the other lead" loading={<TextSkeleton lines={6} />}>
          {(found) => <Both lead={lead} other={found} keptId={keptId} onKeep={setKept} />}
        </QueryView>
      )}
    </FormDialog>
  )
}
