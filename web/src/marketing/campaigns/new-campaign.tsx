import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { useFileMedia } from './ad-preview.tsx'
import { useCreateCampaign } from './campaign.api.ts'
import { type Draft, draftFor, emptyDraft, formOf } from './campaign-draft.ts'
import { CampaignForm } from './campaign-form.tsx'
import { forgetDraft, keepDraft, readKeptDraft } from './kept-draft.ts'
import { MediaField } from './media-field.tsx'
import { ResultFields } from './result-fields.tsx'

interface Props {
  /** The zone or city to start with; empty for none. */
  place: string
  /** Undefined until the list has loaded. */
  isMetaConnected: boolean | undefined
  onClose: () => void
}

/** The Create Campaign dialog. What was typed is kept on this device until the campaign is created. */
export function NewCampaign(props: Props) {
  const { workerId } = useSession()
  const [kept, setKept] = useState(() => (props.place === '' ? readKeptDraft(workerId) : undefined))
  const startOver = () => {
    forgetDraft(workerId)
    setKept(undefined)
  }
  return <OpenCampaign key={kept ? 'kept' : 'new'} {...props} kept={kept} onStartOver={startOver} />
}

interface OpenProps extends Props {
  kept: Partial<Draft> | undefined
  onStartOver: () => void
}

function OpenCampaign({ place, isMetaConnected, kept, onStartOver, onClose }: OpenProps) {
  const { workerId } = useSession()
  const create = useCreateCampaign()
  const [files, setFiles] = useState<File[]>([])
  const [share, setShare] = useState<number>()
  const mutation = {
    mutateAsync: async (draft: Draft) => {
      try {
        const onProgress = files.length > 0 ? { onProgress: setShare } : {}
        const { campaign } = await create.mutateAsync({ form: formOf(draft, files), ...onProgress })
        forgetDraft(workerId)
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
  const onKeep = useCallback(
    (draft: Partial<Draft>, isDirty: boolean) => {
      if (isDirty && place === '') keepDraft(workerId, draft)
    },
    [place, workerId],
  )
  return (
    <CampaignForm
      title="Create Campaign"
      submit="Create Campaign"
      initial={kept ?? (place === '' ? emptyDraft : draftFor(place))}
      mutation={mutation}
      media={useFileMedia(files)}
      result={<ResultFields />}
      files={
        <>
          <MediaField files={files} onFiles={setFiles} />
          {share !== undefined && <Progress label="Upload" done={share} total={1} />}
        </>
      }
      check={{ isMetaConnected }}
      note={
        kept && (
          <Banner
            action={
              <Button size="xs" variant="default" onClick={onStartOver}>
                Start over
              </Button>
            }
          >
            This is the draft that you left. Images and videos are not kept.
          </Banner>
        )
      }
      {...(place === '' && { onKeep })}
      onClose={onClose}
    />
  )
}
