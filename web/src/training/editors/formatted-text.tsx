import type { EditorView } from '@codemirror/view'
import type { Formatting } from '@limber/contract/training/content.ts'
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Progress } from '#ui/progress.tsx'
import { AssetLibrary } from '../assets/asset-library.tsx'
import { markupOf } from '../assets/markup.ts'
import { useUploads } from '../assets/use-uploads.ts'
import { CourseFrame } from '../preview/course-frame.tsx'
import { Markup } from '../preview/markup.tsx'
import { CodeEditor, insertText } from './code-editor.tsx'
import { useEditing } from './editor-context.ts'
import styles from './editors.module.css'
import { TextToolbar } from './text-toolbar.tsx'

export interface FormattedText {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

interface Props {
  label: string
  value: FormattedText
  /** The text's own styles, shown in the live preview. */
  styleText: string
  onChange: (change: Partial<FormattedText>) => void
}

const formats = [
  { value: 'plain', label: 'Plain' },
  { value: 'markdown', label: 'Markdown' },
  { value: 'rich_text', label: 'Rich text' },
]

/** A text with its format, a toolbar, files by paste and drop, and what becomes of it beside it. */
export function FormattedTextEditor({ label, value, styleText, onChange }: Props) {
  const { course } = useEditing()
  const [view, setView] = useState<EditorView>()
  const [isChoosing, setChoosing] = useState(false)
  const uploads = useUploads()
  const hasHtml = value.formatting === 'rich_text' && value.allowHtml

  const uploadAll = async (files: File[], target: EditorView) => {
    for (const file of files) {
      const asset = await uploads.upload(file)
      if (asset) insertText(target, `${markupOf(asset, hasHtml)}\n`)
    }
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
        {value.formatting === 'rich_text' && (
          <Checkbox
            size="xs"
            label="Allow HTML"
            checked={value.allowHtml}
            onChange={(event) => onChange({ allowHtml: event.currentTarget.checked })}
          />
        )}
      </div>
      {value.formatting !== 'plain' && (
        <TextToolbar view={view} hasHtml={hasHtml}>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<Icon of={IconFolder} size={14} />}
            onClick={() => setChoosing(true)}
          >
            Insert file
          </Button>
        </TextToolbar>
      )}
      <div className={styles.split}>
        <CodeEditor
          label={label}
          language={value.formatting === 'plain' ? 'plain' : 'markdown'}
          value={value.text}
          onChange={(text) => onChange({ text })}
          minHeight={240}
          placeholderText="Write here. Paste or drop a picture to upload it."
          onReady={setView}
          onFiles={(files, target) => void uploadAll(files, target)}
        />
        <div className={styles.side}>
          <span className={styles.sideLabel}>Live preview</span>
          <CourseFrame
            title="Live preview"
            theme={course.metadata.theme}
            styleTexts={[course.styles, styleText]}
            height={240}
          >
            <div className="lesson-content">
              <Markup text={value.text} formatting={value.formatting} allowHtml={value.allowHtml} />
            </div>
          </CourseFrame>
        </div>
      </div>
      {uploads.current && (
        <Progress label={`Uploading ${uploads.current.name}`} done={uploads.current.share} total={1} />
      )}
      {uploads.problem && (
        <p className={styles.problem} role="alert">
          {uploads.problem}
        </p>
      )}
      {isChoosing && (
        <AssetLibrary
          onClose={() => setChoosing(false)}
          onInsert={(asset) => {
            if (view) insertText(view, `${markupOf(asset, hasHtml)}\n`)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
