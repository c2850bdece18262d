import { Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { TicketLink } from '../ticket-link.tsx'
import styles from './mentions.module.css'
import { mentionsIn, partsOf } from './mentions.ts'
import { TicketPreview } from './ticket-preview.tsx'

const MAX_SHOWN = 3

/** A text whose numbers of tickets open them, with a preview for the pointer and the keyboard. */
export function MentionText({ children }: { children: string }) {
  return partsOf(children).map((part, place) =>
    typeof part === 'string' ? (
      part
    ) : (
      <Tooltip
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
        key={place}
        classNames={{ tooltip: styles.card ?? '' }}
        label={<TicketPreview id={part} />}
        events={{ hover: true, focus: true, touch: false }}
        openDelay={200}
        multiline
      >
        <span className={styles.mention}>
          <TicketLink id={part}>#{part}</TicketLink>
        </span>
      </Tooltip>
    ),
  )
}

/** The tickets that are mentioned in what is written. */
export function MentionedTickets({ text }: { text: string }) {
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
