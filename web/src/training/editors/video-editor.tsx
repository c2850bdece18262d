import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { MediaField } from '../assets/media-field.tsx'
import styles from './editors.module.css'
import { PlayerFields } from './player-fields.tsx'
import { StyleEditor } from './style-editor.tsx'
import { Subtitles } from './subtitles.tsx'

type Video = ContentOf<'video'>
type PlayableVideo = Pick<Video, 'url' | 'duration' | 'thumbnail' | 'autoplay' | 'controls'>

/** The video fields shared by video lessons and mixed components. */
export function VideoFields<T extends PlayableVideo>({
  content,
  onChange,
}: {
  content: T
  onChange: (content: T) => void
}) {
  return (
    <>
      <PlayerFields kind="video" content={content} onChange={onChange} />
      <MediaField
        label="Thumbnail"
        value={content.thumbnail}
        only="image"
        onChange={(thumbnail) => onChange({ ...content, thumbnail })}
      />
    </>
  )
}

/** The editor of a video lesson. */
export default function VideoEditor({ content, onChange }: { content: Video; onChange: (content: Video) => void }) {
  return (
    <div className={styles.stack}>
      <VideoFields content={content} onChange={onChange} />
      <Subtitles tracks={content.subtitles} onChange={(subtitles) => onChange({ ...content, subtitles })} />
      <StyleEditor
        label="Lesson stylesheet"
        value={content.trainingStylesheet}
        onChange={(trainingStylesheet) => onChange({ ...content, trainingStylesheet })}
      />
    </div>
  )
}
