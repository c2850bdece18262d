import { MAX_MEDIA, MEDIA_TYPES } from '@limber/contract/marketing/campaigns/campaign.ts'
import { Button } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './campaigns.module.css'

const types: readonly string[] = MEDIA_TYPES

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (!url) return null
  return file.type === 'video/mp4' ? (
    // biome-ignore lint/a11y/useMediaCaption: a video that was just selected has no captions
    <video src={url} controls aria-label={file.name} />
  ) : (
    <img src={url} alt={file.name} />
  )
}

interface Props {
  files: readonly File[]
  onFiles: (files: File[]) => void
}

/** Images and videos, with previews before the upload. */
export function MediaField({ files, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const add = (chosen: File[]) => {
    const wrong = chosen.find(({ type }) => !types.includes(type))
    if (wrong) return setProblem(`The file type of ${wrong.name} is not supported. Use JPEG, PNG or MP4.`)
    if (files.length + chosen.length > MAX_MEDIA) return setProblem(`You can add at most ${MAX_MEDIA} files.`)
    setProblem(undefined)
    onFiles([...files, ...chosen])
  }
  return (
    <fieldset className={styles.group}>
      <legend>Media</legend>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Add media"
        accept={MEDIA_TYPES.join(',')}
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      {files.length > 0 && (
        <ul className={styles.media} aria-label="Selected media">
          {files.map((file, place) => (
            <li key={`${file.name}-${file.size}-${file.lastModified}`}>
              <Preview file={file} />
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${file.name}`}
                onClick={() => onFiles(files.filter((_, at) => at !== place))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button variant="default" leftSection={<Icon of={IconPhotoPlus} />} onClick={() => input.current?.click()}>
          Add images or videos
        </Button>
      </div>
      <ProblemLine>{problem}</ProblemLine>
    </fieldset>
  )
}
