import type { ContentOf } from '@limber/contract/training/content.ts'
import { ActionIcon, Button, Checkbox, NumberInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Icon } from '#ui/icon.tsx'
import { readDuration } from '../assets/duration.ts'
import { MediaField } from '../assets/media-field.tsx'
import { clockText } from '../words.ts'
import styles from './editors.module.css'
import { StyleEditor } from './style-editor.tsx'

type Video = ContentOf<'video'>
export type Film = Pick<Video, 'url' | 'duration' | 'thumbnail' | 'autoplay' | 'controls'>

interface Props<T> {
  content: T
  onChange: (content: T) => void
}

/** What a film of a lesson and of a mixed component have in common. */
export function FilmFields<T extends Film>({ content, onChange }: Props<T>) {
  const setUrl = async (url: string, known: number | null, file?: File) => {
    onChange({ ...content, url })
    if (!url) return
    const local = file && URL.createObjectURL(file)
    const duration = known ?? (await readDuration(local ?? url, 'video'))
    if (local) URL.revokeObjectURL(local)
    if (duration !== null) onChange({ ...content, url, duration: Math.round(duration) })
  }
  return (
    <>
      <MediaField
        label="Video"
        value={content.url}
        accept="video/mp4,video/webm"
        only="video"
        onChange={(url, asset, file) => void setUrl(url, asset?.metadata.duration ?? null, file)}
      />
      <div className={styles.pair}>
        <NumberInput
          label="Duration in seconds"
          min={0}
          clampBehavior="none"
          description={content.duration ? clockText(content.duration) : 'Read from the file where it says so.'}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={content.duration ?? ''}
          onChange={(next) => onChange({ ...content, duration: next === '' ? null : Number(next) })}
        />
        <div className={styles.checks}>
          <PlayerChecks content={content} onChange={onChange} />
        </div>
      </div>
      <MediaField
        label="Thumbnail"
        value={content.thumbnail}
        accept="image/*"
        only="image"
        onChange={(thumbnail) => onChange({ ...content, thumbnail })}
      />
    </>
  )
}

export function PlayerChecks<T extends { autoplay: boolean; controls: boolean }>({ content, onChange }: Props<T>) {
  return (
    <>
      <Checkbox
        label="Show controls"
        checked={content.controls}
        onChange={(event) => onChange({ ...content, controls: event.currentTarget.checked })}
      />
      <Checkbox
        label="Play at once"
        checked={content.autoplay}
        onChange={(event) => onChange({ ...content, autoplay: event.currentTarget.checked })}
      />
    </>
  )
}

type Track = Video['subtitles'][number]

function Subtitles({ tracks, onChange }: { tracks: readonly Track[]; onChange: (tracks: Track[]) => void }) {
  const change = (index: number, part: Partial<Track>) =>
    onChange(tracks.map((track, place) => (place === index ? { ...track, ...part } : track)))
  return (
    <fieldset className={styles.stack}>
      <legend className={styles.sideLabel}>Subtitles</legend>
      {tracks.map((track, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a track is its place
        <div key={index} className={styles.rowFields}>
          <TextInput
            aria-label={`Language name ${index + 1}`}
            placeholder="English"
            value={track.label}
            onChange={(event) => change(index, { label: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Language code ${index + 1}`}
            placeholder="en"
            value={track.language}
            onChange={(event) => change(index, { language: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Address of subtitles ${index + 1}`}
            placeholder="https://…/subtitles.vtt"
            value={track.url}
            onChange={(event) => change(index, { url: event.currentTarget.value })}
          />
          <ActionIcon
            size={32}
            aria-label={`Remove subtitles ${index + 1}`}
            onClick={() => onChange(tracks.filter((_, place) => place !== index))}
          >
            <Icon of={IconTrash} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button variant="default" size="xs" onClick={() => onChange([...tracks, { label: '', language: '', url: '' }])}>
          Add subtitles
        </Button>
      </div>
    </fieldset>
  )
}

/** A video lesson. */
export default function VideoEditor({ content, onChange }: Props<Video>) {
  return (
    <div className={styles.stack}>
      <FilmFields content={content} onChange={onChange} />
      <Subtitles tracks={content.subtitles} onChange={(subtitles) => onChange({ ...content, subtitles })} />
      <StyleEditor
        label="Lesson stylesheet"
        value={content.trainingStylesheet}
        onChange={(trainingStylesheet) => onChange({ ...content, trainingStylesheet })}
      />
    </div>
  )
}
