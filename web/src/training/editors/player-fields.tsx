import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { Checkbox, NumberInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { readDuration } from '../assets/duration.ts'
import { MediaField } from '../assets/media-field.tsx'
import { clockText } from '../labels.ts'
import styles from './editors.module.css'

type Player = Pick<ContentOf<'video'>, 'url' | 'duration' | 'autoplay' | 'controls'>

const labels = { video: 'Video', audio: 'Audio' } as const

interface Props<T> {
  kind: keyof typeof labels
  content: T
  onChange: (content: T) => void
}

/** The fields shared by video and audio: file, duration and playback. */
export function PlayerFields<T extends Player>({ kind, content, onChange }: Props<T>) {
  // The duration arrives asynchronously; the ref keeps edits made in the meantime.
  const latest = useRef(content)
  useEffect(() => {
    latest.current = content
  }, [content])

  const setUrl = async (url: string, known: number | null, file?: File) => {
    onChange({ ...content, url })
    if (!url) return
    const local = file && URL.createObjectURL(file)
    const duration = known ?? (await readDuration(local ?? url, kind))
    if (local) URL.revokeObjectURL(local)
    const isStillIt = latest.current.url === url || known !== null
    if (duration !== null && isStillIt) onChange({ ...latest.current, url, duration: Math.round(duration) })
  }
  return (
    <>
      <MediaField
        label={labels[kind]}
        value={content.url}
        only={kind}
        onChange={(url, asset, file) => void setUrl(url, asset?.metadata.duration ?? null, file)}
      />
      <div className={styles.pair}>
        <NumberInput
          label="Duration in seconds"
          min={0}
          clampBehavior="none"
          description={content.duration ? clockText(content.duration) : 'Read from the file if available.'}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          value={content.duration ?? ''}
          onChange={(next) => onChange({ ...content, duration: next === '' ? null : Number(next) })}
        />
        <div className={styles.checks}>
          <Checkbox
            label="Show controls"
            checked={content.controls}
            onChange={(event) => onChange({ ...content, controls: event.currentTarget.checked })}
          />
          <Checkbox
            label="Autoplay"
            checked={content.autoplay}
            onChange={(event) => onChange({ ...content, autoplay: event.currentTarget.checked })}
          />
        </div>
      </div>
    </>
  )
}
