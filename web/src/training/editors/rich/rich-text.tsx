import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { TextEditorProps } from '../formatted-text.tsx'
import { SourceEditor } from '../source-editor.tsx'
import styles from './rich.module.css'
import { RichEditor } from './rich-editor.tsx'
import { readRich } from './rich-markdown.ts'

const views = [
  { value: 'looks', label: 'As it looks' },
  { value: 'source', label: 'Source' },
]

/** A rich text: written as it looks, or in its source. What would not survive the first is offered in the second. */
export default function RichText(props: TextEditorProps) {
  const { text, hasHtml } = props
  const [view, setView] = useState('looks')
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read when the editor opens; what is typed there is in it
  const start = useMemo(() => (view === 'looks' ? readRich(text, hasHtml) : undefined), [view, hasHtml])
  const choice = (
    <SegmentedControl size="xs" aria-label="View of the text" data={views} value={view} onChange={setView} />
  )
  const tools = (
    <>
      {choice}
      {props.tools}
    </>
  )
  if (start) return <RichEditor key={String(hasHtml)} {...props} start={start} tools={tools} />
  return (
    <>
      <SourceEditor {...props} isPlain={false} tools={tools} />
      {view === 'looks' && (
        <p className={styles.note}>
          This text holds what can only be written in its source, such as tags of its own: it is edited there, so that
          nothing of it is lost.
        </p>
      )}
    </>
  )
}
