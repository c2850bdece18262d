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
import styles from './merge-leads.module.css'
import { mergedText, nameOf, statusWords } from './words.ts'

type Merged = ReturnType<typeof previewMerge>

const rows: readonly (readonly [string, (lead: Merged) => React.ReactNode])[] = [
  ['Name', nameOf],
  ...fieldFormatters(
    leadFields.filter(({ name }) => name !== 'first_name' && name !== 'last_name' && name !== 'campaign_id'),
    { blank: 'N/A' },
  ),
  ['Campaign', ({ campaign }) => campaign ?? 'N/A'],
  ['Status', ({ status }) => statusWords[status]],
  ['Assigned to', ({ assignee }) => assignee?.name ?? 'Nobody'],
  ['Customer', ({ customer }) => (customer ? `${customer.name}, number ${customer.id}` : 'N/A')],
  ['Came', ({ createdAt }) => <Moment at={createdAt} form="day" />],
  ['Notes', ({ notes }) => notes.length],
]

/** A row without anything to show is left out. */
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

/** What happens beside what the table shows. */
function Outcome({ kept, duplicate }: { kept: LeadDetail; duplicate: LeadDetail }) {
  const others = [
    kept.email && duplicate.email !== kept.email && duplicate.email,
    kept.phone && duplicate.phone && duplicate.phone !== kept.phone && formatPhone(duplicate.phone),
  ].filter(Boolean)
  return (
    <p className={styles.outcome} role="status">
      Lead {kept.id} stays. Notes, answers and steps of lead {duplicate.id} move to it, and so does every link to it.
      Figures count the person once.
      {others.length > 0 && ` The person stays known by ${others.join(' and ')} as well.`}
    </p>
  )
}

interface BothProps {
  lead: LeadDetail
  other: LeadDetail
  keptId: number
  onKeep: (id: number) => void
}

/** Both leads side by side, and what they become. */
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
        <Banner kind="red">These leads became two customers. Merge the customers first, under User Overview.</Banner>
      ) : (
        <Outcome kept={kept} duplicate={duplicate} />
      )}
    </>
  )
}

/** Another lead, found on the server by name, e-mail or phone. */
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
      nothingFoundMessage="No lead is found"
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
  /** The other one; without it, it is chosen here. */
  otherId?: number
  onClose: () => void
}

/** Makes one lead of two that are the same person. */
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
      // When the open lead goes, the screen turns to the other one and says so itself.
      if (merged.id === lead.id) toast(mergedText(duplicate.id, merged))
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Merge two leads"
      context="For two leads that are one person. Choose which one stays. This cannot be undone."
      submit="Merge"
      isDestructive
      size={760}
      schema={Loaded}
      // Nobody merges what they have not seen.
      fixed={other ? { isLoaded: true } : {}}
      mutation={mutation}
    >
      {otherId === undefined && <OtherLead lead={lead} value={chosenId} onChoose={setChosen} />}
      {chosenId > 0 && (
        <QueryView query={query} failure="The other lead could not be read" loading={<TextSkeleton lines={6} />}>
          {(found) => <Both lead={lead} other={found} keptId={keptId} onKeep={setKept} />}
        </QueryView>
      )}
    </FormDialog>
  )
}
