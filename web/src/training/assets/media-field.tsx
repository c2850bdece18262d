import { ACCEPT, type Asset, type AssetType } from '@limber/contract/training/asset.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { UploadButton } from '#ui/upload-button.tsx'
import { useEditing } from '../editors/editor-context.ts'
import styles from '../editors/editors.module.css'
import { uploadOne } from './asset.api.ts'
import { AssetLibrary, LibraryButton } from './asset-library.tsx'

interface Props {
  label: string
  value: string
  /** What the file picker offers. */
  accept?: string
  only?: AssetType
  /** The address, and the file it belongs to when it was uploaded or chosen here. */
  onChange: (url: string, asset?: Asset, file?: File) => void
}

/** An address of a file: typed, uploaded, or chosen from the files of the course. */
export function MediaField({ label, value, accept = ACCEPT, only, onChange }: Props) {
  const { course, lessonId } = useEditing()
  const [isChoosing, setChoosing] = useState(false)
  const target = { course_key: course.course_key, ...(lessonId === undefined ? {} : { lesson_id: lessonId }) }
  return (
    <div className={styles.media}>
      <TextInput
        label={label}
        type="url"
        autoComplete="off"
        placeholder="https:// or an uploaded file"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={styles.mediaTools}>
        <UploadButton
          accept={accept}
          failure="Upload failed:"
          upload={async ([file], options) => {
            if (!file) return
            const asset = await uploadOne(target, file, options)
            onChange(asset.url, asset, file)
          }}
        />
        <LibraryButton onClick={() => setChoosing(true)} />
      </div>
      {isChoosing && (
        <AssetLibrary
          {...(only ? { only } : {})}
          onClose={() => setChoosing(false)}
          onInsert={(asset) => {
            onChange(asset.url, asset)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
