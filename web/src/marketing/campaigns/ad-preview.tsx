import { CustomQuestions } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { useMediaQuery } from '@mantine/hooks'
import { IconPhoto } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { questionText } from '../leads/lead-labels.ts'
import styles from './ad-preview.module.css'
import { type Draft, hasForm, isAd } from './campaign-draft.ts'

export interface AdMedia {
  url: string
  filename: string
  mimeType: string
}

/** Addresses of chosen files that were not uploaded yet. */
export function useFileMedia(files: readonly File[]): AdMedia[] {
  const [media, setMedia] = useState<AdMedia[]>([])
  useEffect(() => {
    const made = files.map((file) => ({
      url: URL.createObjectURL(file),
      filename: file.name,
      mimeType: file.type,
    }))
    setMedia(made)
    return () => {
      for (const { url } of made) URL.revokeObjectURL(url)
    }
  }, [files])
  return media
}

const buttons: Record<Draft['objective'], string> = {
  LEAD_GENERATION: 'Sign up',
  TRAFFIC: 'Learn more',
  CONVERSIONS: 'Learn more',
  APP_INSTALLS: 'Download',
}

/** The first video is shown; without one, the first picture. */
const shownOf = (media: readonly AdMedia[]) => media.find(({ mimeType }) => mimeType.startsWith('video/')) ?? media[0]

function Media({ media }: { media: readonly AdMedia[] }) {
  const shown = shownOf(media)
  if (!shown)
    return (
      <div className={styles.none}>
        <Icon of={IconPhoto} size={20} />
        <span>No image or video yet</span>
      </div>
    )
  return shown.mimeType.startsWith('video/') ? (
    // biome-ignore lint/a11y/useMediaCaption: ad videos are uploaded without captions
    <video className={styles.media} src={shown.url} controls preload="metadata" aria-label={`Ad: ${shown.filename}`} />
  ) : (
    <img className={styles.media} src={shown.url} alt={`Ad: ${shown.filename}`} />
  )
}

function LeadForm({ draft }: { draft: Draft }) {
  const own = (() => {
    try {
      return CustomQuestions.parse(JSON.parse(draft.questions?.trim() || '[]'))
    } catch {
      return []
    }
  })()
  return (
    <section className={styles.form} aria-label="Lead form">
      <p className={styles.caption}>Lead form</p>
      <ul className={styles.fields}>
        {draft.form_fields.map((field) => (
          <li key={field}>{questionText(field)}</li>
        ))}
        {own.map(({ question, options }) => (
          <li key={question}>
            {question}
            {options.length > 0 && <span className={styles.options}>{options.join(', ')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Props {
  draft: Draft
  media: readonly AdMedia[]
}

function Ad({ draft, media }: Props) {
  const { company } = useSession()
  if (!isAd(draft))
    return (
      <p className={styles.note}>
        Limber sends no ad for this source. It counts the leads that arrive from the campaign.
      </p>
    )
  // Meta gets the name of the campaign when there is no message.
  const message = draft.ad_message?.trim() || draft.name?.trim()
  const isForm = hasForm(draft)
  return (
    <>
      <div className={styles.ad}>
        <div className={styles.page}>
          <Avatar name={company.name} tone="teal" size={32} />
          <span>
            <b>{company.name}</b>
            <small>Sponsored</small>
          </span>
        </div>
        <p className={styles.message} data-empty={!message || undefined}>
          {message || 'The ad message appears here.'}
        </p>
        <Media media={media} />
        <div className={styles.foot}>
          <span className={styles.link}>
            <small>{isForm ? 'Form on Facebook' : 'Your website or app'}</small>
            {draft.link_description && <span>{draft.link_description}</span>}
          </span>
          <span className={styles.button}>{buttons[draft.objective]}</span>
        </div>
      </div>
      {media.length > 1 && (
        <p className={styles.note}>The ad uses only the first video, or the first image without one.</p>
      )}
      {isForm && <LeadForm draft={draft} />}
    </>
  )
}

/** The ad as people will see it, updated while typing. On narrow screens it folds. */
export function AdPreview(props: Props) {
  const isNarrow = useMediaQuery('(max-width: 899px)', false, { getInitialValueInEffect: false })
  if (isNarrow)
    return (
      <details className={styles.fold}>
        <summary>Preview of the ad</summary>
        <Ad {...props} />
      </details>
    )
  return (
    <aside className={styles.aside} aria-label="Preview of the ad">
      <p className={styles.caption}>Preview</p>
      <Ad {...props} />
    </aside>
  )
}
