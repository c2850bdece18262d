import { useDebouncedValue } from '@mantine/hooks'
import styles from './mentions.module.css'
import { mentionsIn } from './mentions.ts'
import { TicketPreview } from './ticket-preview.tsx'

const MAX_SHOWN = 3

/** The tickets that are mentioned in what is written. */
export default function MentionedTickets({ text }: { text: string }) {
  // A number that is still being typed is not looked up.
  const [settled] = useDebouncedValue(text, 400)
  const ids = mentionsIn(settled)
  if (ids.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Mentioned tickets">
      {ids.slice(0, MAX_SHOWN).map((id) => (
        <li key={id}>
          <span className={styles.number}>#{id}</span> <TicketPreview id={id} />
        </li>
      ))}
    </ul>
  )
}
