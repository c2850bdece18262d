import type { PayrollSettings } from '@limber/contract/payroll/settings.ts'
import { Button } from '@mantine/core'
import { Dialog } from '#ui/dialog.tsx'
import { momentText } from '#ui/moment-text.ts'
import { PlainTable } from './plain-table.tsx'
import styles from './settings.module.css'
import { type SettingsValues, settingsFields } from './settings-fields.ts'

interface Props {
  base: SettingsValues
  theirs: PayrollSettings
  mine: SettingsValues
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Both versions side by side, and the choice between them. */
export function SettingsConflict({ base, theirs, mine, onMine, onTheirs, onClose }: Props) {
  const last = theirs.history.find(({ version }) => version === theirs.version)
  const who = last?.changedBy ?? 'Somebody'
  // What this person did not touch stays as the other one left it.
  const result = (name: (typeof settingsFields)[number]['name']) => (mine[name] === base[name] ? theirs : mine)
  const foot = (
    <>
      <Button variant="default" onClick={onTheirs}>
        Take theirs
      </Button>
      <Button onClick={onMine}>Save mine over it</Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="The settings changed meanwhile"
      context={`${who} saved others${last ? ` on ${momentText(last.changedAt)}` : ''}. Nothing of yours is lost: choose.`}
      size={640}
      foot={foot}
    >
      <PlainTable label="Both versions" isFramed>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">When you began</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours, saved over it</th>
          </tr>
        </thead>
        <tbody>
          {settingsFields.map(({ name, label, show }) => (
            <tr key={name} className={styles.choice} data-differs={show(theirs) !== show(result(name)) || undefined}>
              <th scope="row">{label}</th>
              <td>{show(base)}</td>
              <td>{show(theirs)}</td>
              <td>{show(result(name))}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Dialog>
  )
}
