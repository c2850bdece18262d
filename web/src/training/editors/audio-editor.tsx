import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { Textarea } from '@mantine/core'
import styles from './editors.module.css'
import { PlayerFields } from './player-fields.tsx'
import { StyleEditor } from './style-editor.tsx'

type Audio = ContentOf<'audio'>
type Sound = Pick<Audio, 'url' | 'duration' | 'transcript' | 'autoplay' | 'controls'>

/** The audio fields shared by audio lessons and mixed components. */
export function AudioFields<T extends Sound>({ content, onChange }: { content: T; onChange: (content: T) => void }) {
  return (
    <>
      <PlayerFields kind="audio" content={content} onChange={onChange} />
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

/** The editor of an audio lesson. */
export default function AudioEditor({ content, onChange }: { content: Audio; onChange: (content: Audio) => void }) {
  return (
    <div className={styles.stack}>
      <AudioFields content={content} onChange={onChange} />
      <StyleEditor
        label="Lesson stylesheet"
        value={content.trainingStylesheet}
        onChange={(trainingStylesheet) => onChange({ ...content, trainingStylesheet })}
      />
    </div>
  )
}
