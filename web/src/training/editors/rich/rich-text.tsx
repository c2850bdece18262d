import { useMemo } from 'react'
import { SourceEditor } from '../source-editor.tsx'
import type { TextEditorProps } from '../text-editor-props.ts'
import styles from './rich.module.css'
import { RichEditor } from './rich-editor.tsx'
import { readRich } from './rich-markdown.ts'

/** A rich text: written as it looks, or in its source. What would not survive the first is offered in the second. */
export default function RichText({ isSource, ...props }: TextEditorProps & { isSource: boolean }) {
  const { text, hasHtml } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read when the editor opens; what is typed there is in it
  const start = useMemo(() => (isSource ? undefined : readRich(text, hasHtml)), [isSource, hasHtml])
  if (start) return <RichEditor key={String(hasHtml)} {...props} start={start} />
  return (
    <>
      <SourceEditor {...props} isPlain={false} />
      {!isSource && (
        <p className={styles.note}>
          This text holds what can only be written in its source, such as tags of its own: it is edited there, so that
          nothing of it is lost.
        </p>
      )}
    </>
  )
}
