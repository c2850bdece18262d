import { type LeadDetail, leadSourceWords } from '@limber/contract/marketing/lead.ts'
import { didDuplicateComeFirst, doesDuplicateStand } from '@limber/contract/marketing/lead-merge.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Moment } from '#ui/moment.tsx'
import { numberText } from '#ui/number-text.ts'
import { PlainTable } from '#ui/plain-table.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { TextSkeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast-store.ts'
import { leadQuery, useMergeLeads } from './lead.api.ts'
import styles from './merge-leads.module.css'
import { mergedText, nameOf, statusWords } from './words.ts'

const rows: readonly (readonly [string, (lead: LeadDetail) => React.ReactNode])[] = [
  ['Name', nameOf],
  ['E-mail', ({ email }) => email ?? 'N/A'],
  ['Phone', ({ phone }) => (phone ? numberText(phone) : 'N/A')],
  ['Source', ({ source }) => leadSourceWords[source]],
  ['Campaign', ({ campaign }) => campaign ?? 'N/A'],
  ['Status', ({ status }) => statusWords[status]],
  ['Assigned to', ({ assignee }) => assignee?.name ?? 'Nobody'],
  ['Came', ({ createdAt }) => <Moment at={createdAt} form="day" />],
  ['Notes', ({ notes }) => notes.length],
]

interface SideProps {
  lead: LeadDetail
  isKept: boolean
  onKeep: () => void
}

function Side({ lead, isKept, onKeep }: SideProps) {
  return (
    <th scope="col" data-kept={isKept || undefined}>
      <label className={styles.choice}>
        <input type="radio" name="kept" checked={isKept} onChange={onKeep} />
        Keep lead {lead.id}
      </label>
    </th>
  )
}

/** What the merge comes to, in words, as the server will decide it. */
function Outcome({ kept, duplicate }: { kept: LeadDetail; duplicate: LeadDetail }) {
  const [stays, goes] = doesDuplicateStand(kept, duplicate) ? [duplicate, kept] : [kept, duplicate]
  const first = didDuplicateComeFirst(kept, duplicate) ? duplicate : kept
  const assignee = stays.assignee ?? goes.assignee
  const others = [
    kept.email && duplicate.email !== kept.email && duplicate.email,
    kept.phone && duplicate.phone && duplicate.phone !== kept.phone && numberText(duplicate.phone),
  ].filter(Boolean)
  return (
    <p className={styles.outcome} role="status">
      Lead {kept.id} stays: {statusWords[stays.status]}, {assignee ? `looked after by ${assignee.name}` : 'with nobody'}
      , from {leadSourceWords[first.source]} since <Moment at={first.createdAt} form="day" />. Notes, answers and steps
      of lead {duplicate.id} move there, and so does every link to it. Figures count the person once.
      {others.length > 0 && ` The person stays known by ${others.join(' and ')} as well.`}
    </p>
  )
}

const Loaded = z.object({ isLoaded: z.literal(true) })

interface Props {
  lead: LeadDetail
  otherId: number
  onClose: () => void
}

/** Makes one lead of two that are the same person. */
export function MergeLeads({ lead, otherId, onClose }: Props) {
  const query = useQuery(leadQuery(otherId))
  const merge = useMergeLeads()
  const [keptId, setKept] = useState(lead.id)
  const other = query.data
  const mutation = {
    mutateAsync: async () => {
      if (!other) return
      const [kept, duplicate] = keptId === lead.id ? [lead, other] : [other, lead]
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
      size={640}
      schema={Loaded}
      // Nobody merges what they have not seen.
      fixed={other ? { isLoaded: true } : {}}
      mutation={mutation}
    >
      <QueryView query={query} failure="The other lead could not be read" loading={<TextSkeleton lines={6} />}>
        {(found) => (
          <>
            <PlainTable label="Both leads" isFramed>
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  {[lead, found].map((one) => (
                    <Side key={one.id} lead={one} isKept={keptId === one.id} onKeep={() => setKept(one.id)} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(([label, show]) => (
                  <tr key={label} className={styles.row}>
                    <th scope="row">{label}</th>
                    {[lead, found].map((one) => (
                      <td key={one.id} data-kept={keptId === one.id || undefined}>
                        {show(one)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </PlainTable>
            {keptId === lead.id ? <Outcome kept={lead} duplicate={found} /> : <Outcome kept={found} duplicate={lead} />}
          </>
        )}
      </QueryView>
    </FormDialog>
  )
}
