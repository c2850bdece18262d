import { Email } from '@limber/contract/kit/values.ts'
import { EmailType } from '@limber/contract/support/email-log.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { SearchField } from '#ui/search-field.tsx'
import styles from './email-logs.module.css'
import type { EmailSearch } from './email-search.ts'
import { typeWords } from './words.ts'

const types = [
  { value: '', label: 'Any type' },
  ...EmailType.options.map((type) => ({ value: type, label: typeWords[type] })),
]

interface Props {
  search: EmailSearch
  onChange: (change: Partial<EmailSearch>) => void
}

/** A type, and the whole address of a recipient: of an encrypted one, part of it finds nothing. */
export function EmailFilters({ search, onChange }: Props) {
  const [isPartial, setPartial] = useState(false)
  const find = (text: string) => {
    const isWhole = text === '' || Email.safeParse(text).success
    setPartial(!isWhole)
    if (isWhole) onChange({ recipient: text.toLowerCase() })
  }
  return (
    <div className={styles.filters}>
      <div>
        <SearchField
          label="Recipient"
          placeholder="Whole address of a recipient"
          value={search.recipient}
          onFind={find}
        />
        {isPartial && (
          <p className={styles.hint} role="status">
            Type the whole address: recipients are encrypted, so part of one finds nothing.
          </p>
        )}
      </div>
      <NativeSelect
        aria-label="Type"
        data={types}
        value={search.type}
        onChange={(event) => onChange({ type: event.currentTarget.value as EmailSearch['type'] })}
      />
    </div>
  )
}
