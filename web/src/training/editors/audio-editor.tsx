import type { ContentOf } from '@limber/contract/training/content.ts'
import { NumberInput, Textarea } from '@mantine/core'
import { readDuration } from '../assets/duration.ts'
import { MediaField } from '../assets/media-field.tsx'
import { clockText } from '../words.ts'
import styles from './editors.module.css'
import { StyleEditor } from './style-editor.tsx'
import { PlayerChecks } from './video-editor.tsx'

type Audio = ContentOf<'audio'>
export type Sound = Pick<Audio, 'url' | 'duration' | 'transcript' | 'autoplay' | 'controls'>

/** What a sound of a lesson and of a mixed component have in common. */
export function SoundFields<T extends Sound>({ content, onChange }: { content: T; onChange: (content: T) => void }) {
  const setUrl = async (url: string, known: number | null, file?: File) => {
    onChange({ ...content, url })
    if (!url) return
    const local = file && URL.createObjectURL(file)
    const duration = known ?? (await readDuration(local ?? url, 'audio'))
    if (local) URL.revokeObjectURL(local)
    if (duration !== null) onChange({ ...content, url, duration: Math.round(duration) })
  }
  return (
    <>
      <MediaField
        label="Audio"
        value={content.url}
        accept="audio/mpeg,audio/ogg,audio/wav"
        only="audio"
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
      <Textarea
        label="Transcript"
        minRows={3}
        maxRows={12}
        autosize
        value={content.transcript}
        onChange={(event) => onChange({ ...content, transcript: event.currentTarget.value })}
      />
    </>
  )
}

/** An audio lesson. */
export default function AudioEditor({ content, onChange }: { content: Audio; onChange: (content: Audio) => void }) {
  return (
    <div className={styles.stack}>
      <SoundFields content={content} onChange={onChange} />
      <StyleEditor
        label="Lesson stylesheet"
        value={content.trainingStylesheet}
        onChange={(trainingStylesheet) => onChange({ ...content, trainingStylesheet })}
      />
    </div>
  )
}
