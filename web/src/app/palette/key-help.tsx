import { useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { visibleTabs } from '../navigation.ts'
import styles from './key-help.module.css'

interface Keys {
  caps: string[]
  words: string
  /** Only on screens where all of these are. */
  needs?: readonly string[]
}

const SEARCH = '[data-section-search]'
const ROWS = '[data-row]'
const OPENING_ROWS = ':is(a[data-row], [data-opens])'
const TICKET_REPLY = '[aria-keyshortcuts="r"]'
const SAVED_REPLIES = '[aria-keyshortcuts="Control+/"]'
const CHOSEN_BY_KEY = '[data-ticket]'
const NEXT_WEEK = '[aria-keyshortcuts="n"]'

const keys: readonly Keys[] = [
  { caps: ['Mod K'], words: 'Search or jump to' },
  { caps: ['/'], words: "The section's search", needs: [SEARCH] },
  { caps: ['↓'], words: 'From the search to the first row', needs: [SEARCH, ROWS] },
  { caps: ['Esc'], words: 'Clear the search, then leave it', needs: [SEARCH] },
  { caps: ['j', 'k'], words: 'Next and previous row', needs: [ROWS] },
  { caps: ['Enter'], words: 'Open the row', needs: [OPENING_ROWS] },
  { caps: ['x'], words: 'Select the row', needs: [CHOSEN_BY_KEY] },
  { caps: ['r'], words: 'Answer the open ticket', needs: [TICKET_REPLY] },
  { caps: ['Mod /'], words: 'Saved replies', needs: [SAVED_REPLIES] },
  { caps: ['Mod Shift Enter'], words: 'Send and close the ticket', needs: [TICKET_REPLY] },
  { caps: ['p', 'n'], words: 'Previous and next week', needs: [NEXT_WEEK] },
  { caps: ['t'], words: 'This week', needs: [NEXT_WEEK] },
  { caps: ['Mod Enter'], words: 'Send, or save a form' },
  { caps: ['Esc'], words: 'Close the top layer' },
  { caps: ['?'], words: 'These keys' },
]

/** The keys of the screen that is open. */
const keysHere = () =>
  keys.filter(({ needs = [] }) => needs.every((each) => document.querySelector(`main ${each}`) !== null))

function KeyList() {
  const [here] = useState(keysHere)
  const tabs = visibleTabs(useSession()).map(({ key, title }): Keys => ({ caps: ['g', key], words: `Go to ${title}` }))
  return (
    <dl className={styles.keys}>
      {[...here, ...tabs].map(({ caps, words }) => (
        <div key={words} className={styles.row}>
          <dt>{words}</dt>
          <dd>
            {caps.map((cap) => (
              <KeyCap key={cap} keys={cap} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The keys that do something on this screen, for those who press `?`. */
export default function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard" size={400}>
      <KeyList />
    </Dialog>
  )
}
