import { useSession } from '#platform/session.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { KeyCap } from '#ui/key-cap.tsx'
import styles from './key-help.module.css'
import { visibleTabs } from './navigation.ts'

const keys: readonly [string[], string][] = [
  [['Mod K'], 'Search or jump to'],
  [['/'], "The section's search"],
  [['↓'], 'From the search to the first row'],
  [['j', 'k'], 'Next and previous row'],
  [['Enter'], 'Open the row'],
  [['r'], 'Answer the open ticket'],
  [['Mod Enter'], 'Send'],
  [['Mod Shift Enter'], 'Send and close the ticket'],
  [['Esc'], 'Close the top layer'],
  [['?'], 'These keys'],
]

/** The keys, for those who press `?`. */
export default function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const tabs = visibleTabs(useSession()).map(({ key, title }): [string[], string] => [['g', key], title])
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard" size={400}>
      <dl className={styles.keys}>
        {[...keys, ...tabs].map(([caps, words]) => (
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
    </Dialog>
  )
}
