import { useState } from 'react'
import { FormDialog } from '#ui/form-dialog.tsx'
import { Progress } from '#ui/progress.tsx'
import { toast } from '#ui/toast-store.ts'
import { useCreateCampaign } from './campaign.api.ts'
import { type Draft, DraftSchema, emptyDraft, formOf } from './campaign-draft.ts'
import { CampaignInputs } from './campaign-fields.tsx'
import { MediaField } from './media-field.tsx'

/** 'Create Campaign': everything that is known of it, and its pictures. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const create = useCreateCampaign()
  const [files, setFiles] = useState<File[]>([])
  const [share, setShare] = useState<number>()
  const mutation = {
    mutateAsync: async (draft: Draft) => {
      try {
        const onProgress = files.length > 0 ? { onProgress: setShare } : {}
        await create.mutateAsync({ form: formOf(draft, files), ...onProgress })
        toast('Campaign created successfully')
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
      context="A Facebook lead ad is brought to Meta paused: nothing is spent before you set it to Active."
      submit="Create Campaign"
      size={760}
      schema={DraftSchema}
      initial={emptyDraft}
      mutation={mutation}
    >
      <CampaignInputs />
      <MediaField files={files} onFiles={setFiles} />
      {share !== undefined && <Progress label="Upload" done={share} total={1} />}
    </FormDialog>
  )
}
