import type { Asset } from '@limber/contract/training/assets/asset.ts'
import type { Formatting } from '@limber/contract/training/lessons/content.ts'
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { AssetLibrary } from '../assets/asset-library.tsx'
import { UploadLine } from '../assets/upload-line.tsx'
import { useUploads } from '../assets/use-uploads.ts'
import { CourseFrame } from '../preview/course-frame.tsx'
import { Markup } from '../preview/markup.tsx'
import { useEditing } from './editor-context.ts'
import styles from './editors.module.css'
import { SourceEditor } from './source-editor.tsx'
import type { TextEditorProps } from './text-editor-props.ts'

const RichText = lazy(() => import('./rich/rich-text.tsx'))

export interface FormattedText {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

interface Props {
  label: string
  value: FormattedText
  /** The CSS of this text, applied in the live preview. */
  styleText: string
  onChange: (change: Partial<FormattedText>) => void
}

const formats = [
  { value: 'plain', label: 'Plain' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'rich_text', label: 'Rich text' },
]

const views = [
  { value: 'looks', label: 'Visual' },
  { value: 'source', label: 'Source' },
]

/** A text editor with format, toolbar, paste and drop of files, and a live preview. */
export function FormattedTextEditor({ label, value, styleText, onChange }: Props) {
  const { course } = useEditing()
  const [isChoosing, setChoosing] = useState(false)
  const uploads = useUploads()
  const [view, setView] = useState('looks')
  const insert = useRef<(asset: Asset) => void>(undefined)
  const isRich = value.formatting === 'rich_text'
  const hasHtml = isRich && value.allowHtml

  const editor: TextEditorProps = {
    label,
    text: value.text,
    hasHtml,
    onChange: (text) => onChange({ text }),
    onFiles: (files) => void uploads.upload(files, (asset) => insert.current?.(asset)),
    onReady: (how) => {
      insert.current = how
    },
    tools: (
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<Icon of={IconFolder} size={14} />}
        onClick={() => setChoosing(true)}
      >
        Insert file
      </Button>
    ),
    children: (
      <div className={styles.side}>
        <span className={styles.sideLabel}>Live preview</span>
        <CourseFrame title="Live preview" theme={course.metadata.theme} styleTexts={[course.styles, styleText]}>
          <div className="lesson-content">
            <Markup text={value.text} formatting={value.formatting} allowHtml={value.allowHtml} />
          </div>
        </CourseFrame>
      </div>
    ),
  }
  return (
    <div className={styles.stack}>
      <div className={styles.formatRow}>
        <SegmentedControl
          size="xs"
          aria-label={`Format of ${label.toLowerCase()}`}
          data={formats}
          value={value.formatting}
          onChange={(formatting) => onChange({ formatting: formatting as Formatting })}
        />
        {isRich && (
          <>
            <Checkbox
              size="xs"
              label="Allow HTML"
              checked={value.allowHtml}
              onChange={(event) => onChange({ allowHtml: event.currentTarget.checked })}
            />
            <SegmentedControl
              className={styles.view ?? ''}
              size="xs"
              aria-label={`View of ${label.toLowerCase()}`}
              data={views}
              value={view}
              onChange={setView}
            />
          </>
        )}
      </div>
      {isRich ? (
        <Suspense fallback={<BlockSkeleton height={280} />}>
          <RichText {...editor} isSource={view === 'source'} />
        </Suspense>
      ) : (
        <SourceEditor {...editor} isPlain={value.formatting === 'plain'} />
      )}
      <UploadLine uploads={uploads} />
      {isChoosing && (
        <AssetLibrary
          onClose={() => setChoosing(false)}
          onInsert={(asset) => {
            insert.current?.(asset)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
