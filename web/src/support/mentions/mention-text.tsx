import { Tooltip } from '@mantine/core'
import { TicketLink } from '../ticket-link.tsx'
import styles from './mentions.module.css'
import { partsOf } from './mentions.ts'
import { TicketPreview } from './ticket-preview.tsx'

/** A text whose numbers of tickets open them, with a preview for the pointer and the keyboard. */
export default function MentionText({ children }: { children: string }) {
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
