import { useState } from 'react'
import { Progress } from '#ui/charts/progress.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { useCreateCampaign } from './campaign.api.ts'
import { type Draft, DraftSchema, draftFor, emptyDraft, formOf } from './campaign-draft.ts'
import { CampaignInputs } from './campaign-fields.tsx'
import { adText } from './campaign-labels.ts'
import { MediaField } from './media-field.tsx'
import { ResultFields } from './result-fields.tsx'

interface Props {
  /** The zone or city to start with; empty for none. */
  place: string
  /** Undefined until the list has loaded. */
  isMetaConnected: boolean | undefined
  onClose: () => void
}

/** The Create Campaign dialog, with media upload. */
export function NewCampaign({ place, isMetaConnected, onClose }: Props) {
  const create = useCreateCampaign()
  const [files, setFiles] = useState<File[]>([])
  const [share, setShare] = useState<number>()
  const mutation = {
    mutateAsync: async (draft: Draft) => {
      try {
        const onProgress = files.length > 0 ? { onProgress: setShare } : {}
        const { campaign } = await create.mutateAsync({ form: formOf(draft, files), ...onProgress })
        const stays = campaign.push.state === 'not_connected'
        toast(
          'Campaign created successfully',
          stays ? { detail: 'It was not sent because Meta is not connected.' } : {},
        )
      } finally {
        setShare(undefined)
      }
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Create Campaign"
      {...(isMetaConnected !== undefined && { context: adText(isMetaConnected) })}
      submit="Create Campaign"
      size={760}
      schema={DraftSchema}
      initial={place === '' ? emptyDraft : draftFor(place)}
      mutation={mutation}
    >
      <CampaignInputs>
        <ResultFields />
      </CampaignInputs>
      <MediaField files={files} onFiles={setFiles} />
      {share !== undefined && <Progress label="Upload" done={share} total={1} />}
    </FormDialog>
  )
}
