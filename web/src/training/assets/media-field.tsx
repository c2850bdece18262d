import type { Asset, AssetType } from '@limber/contract/training/asset.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { UploadButton } from '#ui/upload-button.tsx'
import { useTarget } from '../editors/editor-context.ts'
import styles from '../editors/editors.module.css'
import { accepts } from './accept.ts'
import { uploadOne } from './asset.api.ts'
import { AssetLibrary, LibraryButton } from './asset-library.tsx'

interface Props {
  label: string
  value: string
  /** What kind of file it is. */
  only: AssetType
  /** The address, and the file it belongs to when it was uploaded or chosen here. */
  onChange: (url: string, asset?: Asset, file?: File) => void
}

/** An address of a file: typed, uploaded, or chosen from the files of the course. */
export function MediaField({ label, value, only, onChange }: Props) {
  const target = useTarget()
  const [isChoosing, setChoosing] = useState(false)
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
          accept={accepts[only]}
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
          only={only}
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
