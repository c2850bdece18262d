import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import styles from './editors.module.css'
import { FormattedTextEditor } from './formatted-text.tsx'
import { StyleEditor } from './style-editor.tsx'

interface Props {
  content: ContentOf<'text'>
  onChange: (content: ContentOf<'text'>) => void
}

/** The editor of a text lesson. */
export default function TextEditor({ content, onChange }: Props) {
  const { trainingLessonContent: text, formatting, allowHtml, trainingStylesheet } = content
  return (
    <div className={styles.stack}>
      <FormattedTextEditor
        label="Lesson text"
        value={{ text, formatting, allowHtml }}
        styleText={trainingStylesheet}
        onChange={({ text: next = text, ...rest }) => onChange({ ...content, ...rest, trainingLessonContent: next })}
      />
      <StyleEditor
        label="Lesson stylesheet"
        value={trainingStylesheet}
        onChange={(next) => onChange({ ...content, trainingStylesheet: next })}
      />
    </div>
  )
}
