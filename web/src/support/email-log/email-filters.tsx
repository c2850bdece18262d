import { Email } from '@limber/contract/kit/values.ts'
import { EmailDelivery, EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { DayRange } from '#ui/form/day-range.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import styles from './email-logs.module.css'
import type { EmailSearch } from './email-search.ts'
import { deliveryLabels, typeLabels } from './labels.ts'

const types = [
  { value: '', label: 'Any type' },
  ...EmailType.options.map((type) => ({ value: type, label: typeLabels[type] })),
]

const deliveries = [
  { value: '', label: 'Any delivery' },
  ...EmailDelivery.options.map((delivery) => ({ value: delivery, label: deliveryLabels[delivery] })),
]

interface Props {
  search: EmailSearch
  onChange: (change: Partial<EmailSearch>) => void
}

/** Recipients are encrypted: only a complete address can be found. */
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
          placeholder="Complete recipient address"
          value={search.recipient}
          onFind={find}
        />
        {isPartial && (
          <p className={styles.hint} role="status">
            Enter the complete address. Recipients are encrypted, so partial matches are not possible.
          </p>
        )}
      </div>
      <NativeSelect
        label="Type"
        data={types}
        value={search.type}
        onChange={(event) => onChange({ type: event.currentTarget.value as EmailSearch['type'] })}
      />
      <NativeSelect
        label="Delivery"
        data={deliveries}
        value={search.delivery}
        onChange={(event) => onChange({ delivery: event.currentTarget.value as EmailSearch['delivery'] })}
      />
      <DayRange labels={['Sent from', 'Sent through']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}
