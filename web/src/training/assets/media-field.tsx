import { type Asset, type AssetType, acceptByType, kilobytes } from '@limber/contract/training/assets/asset.ts'
import { FILES_PATH } from '@limber/contract/training/values.ts'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { UploadButton } from '#ui/form/upload-button.tsx'
import { useEditing, useTarget } from '../editors/editor-context.ts'
import styles from '../editors/editors.module.css'
import { lessonFilesQuery, uploadOne } from './asset.api.ts'
import { AssetLibrary, LibraryButton } from './asset-library.tsx'

interface Props {
  label: string
  value: string
  /** The file type. */
  only: AssetType
  /** The URL, plus the asset or file if it was uploaded or selected here. */
  onChange: (url: string, asset?: Asset, file?: File) => void
}

/** The URL of a file: typed, uploaded, or selected from the course files. */
export function MediaField({ label, value, only, onChange }: Props) {
  const target = useTarget()
  const [taken, setTaken] = useState<Asset>()
  const { lessonId = 0 } = useEditing()
  const isOwn = value.startsWith(FILES_PATH)
  const { data: files = [] } = useQuery({ ...lessonFilesQuery(lessonId), enabled: isOwn && lessonId > 0 })
  // The URL of an uploaded file is meaningless to a reader, so show its name.
  const shown = isOwn && [taken, ...files].find((file) => file?.url === value)
  const take = (asset: Asset, file?: File) => {
    setTaken(asset)
    onChange(asset.url, asset, file)
  }
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className={styles.media}>
      <TextInput
        label={label}
        type="url"
        autoComplete="off"
        placeholder="https:// or an uploaded file"
        description={shown && `${shown.filename}, ${kilobytes(shown.metadata.finalSize)} KB`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={styles.mediaTools}>
        <UploadButton
          accept={acceptByType[only]}
          failure="Upload failed:"
          upload={async ([file], options) => {
            if (!file) return
            const asset = await uploadOne(target, file, options)
            take(asset, file)
          }}
        />
        <LibraryButton onClick={() => setChoosing(true)} />
      </div>
      {isChoosing && (
        <AssetLibrary
          only={only}
          onClose={() => setChoosing(false)}
          onInsert={(asset) => {
            take(asset)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
