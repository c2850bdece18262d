import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { MediaField } from '../assets/media-field.tsx'
import styles from './editors.module.css'

type Content = ContentOf<'document'>

const endings: Record<string, Content['type']> = { pdf: 'pdf', txt: 'txt', md: 'md' }

/** The editor of a document lesson. */
export default function DocumentEditor({
  content,
  onChange,
}: {
  content: Content
  onChange: (content: Content) => void
}) {
  return (
    <div className={styles.stack}>
      <MediaField
        label="Document"
        value={content.url}
        only="document"
        onChange={(url, asset) =>
          onChange({
            ...content,
            url,
            type: endings[url.split('.').at(-1)?.toLowerCase() ?? ''] ?? content.type,
            pages: asset?.metadata.pages ?? content.pages,
          })
        }
      />
      <div className={styles.pair}>
        <NativeSelect
          label="Document type"
          value={content.type}
          data={[
            { value: 'pdf', label: 'PDF' },
            { value: 'txt', label: 'Text' },
            { value: 'md', label: 'Markdown' },
          ]}
          onChange={(event) => onChange({ ...content, type: event.currentTarget.value as Content['type'] })}
        />
        <NumberInput
          label="Pages"
          min={0}
          clampBehavior="none"
          allowDecimal={false}
          value={content.pages ?? ''}
          onChange={(next) => onChange({ ...content, pages: next === '' ? null : Number(next) })}
        />
      </div>
      <Checkbox
        label="Allow download"
        description="If off, learners can only read the document inside the course."
        checked={content.allowDownload}
        onChange={(event) => onChange({ ...content, allowDownload: event.currentTarget.checked })}
      />
    </div>
  )
}
