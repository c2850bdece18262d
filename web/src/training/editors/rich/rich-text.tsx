import { useMemo } from 'react'
import { SourceEditor } from '../source-editor.tsx'
import type { TextEditorProps } from '../text-editor-props.ts'
import styles from './rich.module.css'
import { RichEditor } from './rich-editor.tsx'
import { parseRich } from './rich-markdown.ts'

/** A rich text editor, visual or source. Text the visual editor would change opens in the source editor. */
export default function RichText({ isSource, ...props }: TextEditorProps & { isSource: boolean }) {
  const { text, hasHtml } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: parsed once when the editor opens
  const start = useMemo(() => (isSource ? undefined : parseRich(text, hasHtml)), [isSource, hasHtml])
  if (start) return <RichEditor key={String(hasHtml)} {...props} start={start} />
  return (
    <>
      <SourceEditor {...props} isPlain={false} />
      {!isSource && (
        <p className={styles.note}>
          This text contains markup that only the source editor supports, such as custom tags. It opens there so that
          nothing is lost.
        </p>
      )}
    </>
  )
}
