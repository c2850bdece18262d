import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Icon } from '#ui/layout/icon.tsx'
import { MediaField } from '../assets/media-field.tsx'
import styles from './editors.module.css'
import { languageIn } from './subtitle-language.ts'

type Track = ContentOf<'video'>['subtitles'][number]

interface Props {
  tracks: readonly Track[]
  onChange: (tracks: Track[]) => void
}

/** The subtitles of a video, one WebVTT file per language. */
export function Subtitles({ tracks, onChange }: Props) {
  const change = (index: number, part: Partial<Track>) =>
    onChange(tracks.map((track, place) => (place === index ? { ...track, ...part } : track)))
  return (
    <fieldset className={styles.stack}>
      <legend className={styles.sideLabel}>Subtitles</legend>
      {tracks.map((track, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a track is identified by its position
        <div key={index} className={styles.component}>
          <div className={styles.rowFields}>
            <TextInput
              aria-label={`Language name ${index + 1}`}
              placeholder="English"
              maxLength={80}
              value={track.label}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`Language code ${index + 1}`}
              placeholder="en"
              maxLength={20}
              value={track.language}
              onChange={(event) => change(index, { language: event.currentTarget.value })}
            />
            <ActionIcon
              size={32}
              aria-label={`Remove subtitles ${index + 1}`}
              onClick={() => onChange(tracks.filter((_, place) => place !== index))}
            >
              <Icon of={IconTrash} />
            </ActionIcon>
          </div>
          <MediaField
            label={`Subtitle file ${index + 1}`}
            only="other"
            value={track.url}
            onChange={(url, asset) => change(index, { url, ...(asset && languageIn(asset.filename)) })}
          />
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon of={IconPlus} size={14} />}
          onClick={() => onChange([...tracks, { label: 'English', language: 'en', url: '' }])}
        >
          Add subtitles
        </Button>
      </div>
    </fieldset>
  )
}
