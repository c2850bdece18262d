import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { visibleTabs } from '../navigation.ts'
import styles from './key-help.module.css'
import { useVerbs } from './verb-commands.ts'

interface Keys {
  caps: string[]
  label: string
  /** Selectors that must all match on the current screen. */
  needs?: readonly string[]
}

const SEARCH = '[data-section-search]'
const ROWS = '[data-row]'
const OPENING_ROWS = ':is(a[data-row], [data-opens])'
const TICKET_REPLY = '[aria-keyshortcuts="r"]'
const SAVED_REPLIES = '[aria-keyshortcuts~="Control+/"]'
const OPEN_TICKET = '[aria-keyshortcuts="e"]:not(:disabled)'
const SNOOZE = '[aria-keyshortcuts="h"]'
const TAGS = '[aria-keyshortcuts="#"]'
const SELECTABLE_ROWS = '[data-ticket]'
const OTHER_WEEKS = '[aria-keyshortcuts="p"]'
const MOVABLE = '[data-opens][aria-keyshortcuts="m"]'
const NEIGHBORS = '[aria-keyshortcuts="]"]'
const NOTE = 'button[aria-keyshortcuts="n"]'
const TEXT = 'button[aria-keyshortcuts="t"]'
const KINDS = '[aria-keyshortcuts="1"]'
const JUMP = '[aria-keyshortcuts="Shift+G"]'

const keys: readonly Keys[] = [
  { caps: ['Mod K'], label: 'Search or jump to' },
  { caps: ['/'], label: 'Search this section', needs: [SEARCH] },
  { caps: ['↓'], label: 'Go from the search to the first row', needs: [SEARCH, ROWS] },
  { caps: ['Esc'], label: 'Clear the search, then leave the field', needs: [SEARCH] },
  { caps: ['j', 'k'], label: 'Next and previous row', needs: [ROWS] },
  { caps: ['Enter'], label: 'Open the row', needs: [OPENING_ROWS] },
  { caps: ['x'], label: 'Select the row', needs: [SELECTABLE_ROWS] },
  { caps: ['r'], label: 'Reply to the open ticket', needs: [TICKET_REPLY] },
  { caps: ['i'], label: 'Write an internal note', needs: [TICKET_REPLY] },
  { caps: ['m', 'Mod /'], label: 'Saved replies and macros', needs: [SAVED_REPLIES] },
  { caps: ['a'], label: 'Assign the ticket to me', needs: [OPEN_TICKET] },
  { caps: ['h'], label: 'Snooze the ticket', needs: [SNOOZE] },
  { caps: ['#'], label: 'Add a tag', needs: [TAGS] },
  { caps: ['e'], label: 'Close the ticket', needs: [OPEN_TICKET] },
  { caps: ['Shift M'], label: 'Split the ticket', needs: [OPEN_TICKET] },
  { caps: ['Mod Shift Enter'], label: 'Send and close the ticket', needs: [TICKET_REPLY] },
  { caps: ['u'], label: 'Mark the ticket unread', needs: [TICKET_REPLY] },
  { caps: ['p', 'n'], label: 'Previous and next week', needs: [OTHER_WEEKS] },
  { caps: ['t'], label: 'This week', needs: [OTHER_WEEKS] },
  { caps: ['m'], label: 'Move the session', needs: [MOVABLE] },
  { caps: ['[', ']'], label: 'Previous and next customer', needs: [NEIGHBORS] },
  { caps: ['n'], label: 'Add a note', needs: [NOTE, KINDS] },
  { caps: ['t'], label: 'Text the customer', needs: [TEXT, KINDS] },
  { caps: ['1', '8'], label: 'Show one kind of entry', needs: [KINDS] },
  { caps: ['Shift G'], label: 'Jump to a date', needs: [JUMP] },
  { caps: ['Mod Enter'], label: 'Send, or save a form' },
  { caps: ['Esc'], label: 'Close the open dialog' },
  { caps: ['?'], label: 'Show keyboard shortcuts' },
]

/** What the palette can do on the current screen. */
function VerbList() {
  const { pathname } = useLocation()
  const here = useVerbs(true).filter(({ screen, isPossible }) => screen === pathname || isPossible !== undefined)
  if (here.length === 0) return null
  return (
    <>
      <h3 className={styles.title}>
        Type in the palette <KeyCap keys="Mod K" />
      </h3>
      <ul className={styles.verbs}>
        {here.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </>
  )
}

/** The shortcuts that work on the current screen. */
const keysOnScreen = () =>
  keys.filter(({ needs = [] }) => needs.every((each) => document.querySelector(`main ${each}`) !== null))

function KeyList() {
  const [here] = useState(keysOnScreen)
  const tabs = visibleTabs(useSession()).map(({ key, title }): Keys => ({ caps: ['g', key], label: `Go to ${title}` }))
  return (
    <dl className={styles.keys}>
      {[...here, ...tabs].map(({ caps, label }) => (
        <div key={label} className={styles.row}>
          <dt>{label}</dt>
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

/** Lists the shortcuts of this screen; opened with `?`. */
export default function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" size={400}>
      <KeyList />
      <VerbList />
    </Dialog>
  )
}
