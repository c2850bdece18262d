import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import type { CampaignDetail, editCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { campaignQuery, useEditCampaign } from './campaign.api.ts'
import { audienceOf, type Draft, draftOf, editOf } from './campaign-draft.ts'
import { CampaignForm } from './campaign-form.tsx'
import { audienceText, lockedText } from './campaign-labels.ts'

interface Props {
  id: number
  onClose: () => void
}

/** Edits a campaign. If someone else saved first, a conflict dialog opens. */
export function EditCampaign({ id, onClose }: Props) {
  const query = useQuery(campaignQuery(id))
  if (query.data) return <EditForm campaign={query.data} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title="Edit campaign" size={760}>
      <QueryView query={query}>{() => null}</QueryView>
    </Dialog>
  )
}

function EditForm({ campaign, onClose }: { campaign: CampaignDetail; onClose: () => void }) {
  // A background refetch must not change the form's base.
  const [base] = useState(campaign)
  const [initial] = useState(() => draftOf(base))
  const edit = useEditCampaign(base.id)
  const { mutateAsync, conflict } = useConflict<typeof editCampaign, Draft>({
    base,
    // Reuses the initial draft, so that untouched values are identical objects.
    fieldsOf: (record) => (record === base ? initial : draftOf(record)),
    title: `Someone else changed ${base.name}`,
    formatters: [
      ['Name', ({ name }) => name],
      ['Daily budget', ({ budget }) => formatMoney(budget)],
      ['Start date', ({ start_date }) => dayText(start_date)],
      ['End date', ({ end_date }) => dayText(end_date, 'Ongoing')],
      ['Ad message', ({ ad_message = '' }) => ad_message],
      ['Audience', (draft) => audienceText(audienceOf(draft))],
      ['Notes', ({ notes = '' }) => notes],
    ],
    send: ({ version, ...draft }) => edit.mutateAsync({ ...editOf(draft, base.locked), version }),
    onSaved: (saved) => {
      toastUndo(`${saved.name} saved.`, saved)
      onClose()
    },
  })
  return (
    <>
      <CampaignForm
        title={`Edit ${base.name}`}
        {...(base.locked.length > 0 && { context: lockedText(base.locked) })}
        submit="Save"
        initial={initial}
        mutation={{ mutateAsync }}
        media={base.media}
        locked={base.locked}
        onClose={onClose}
      />
      {conflict}
    </>
  )
}
