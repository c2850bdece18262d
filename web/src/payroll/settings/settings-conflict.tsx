import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { type SettingsValues, settingsFields } from './settings-fields.ts'

interface Props {
  base: SettingsValues
  saved: PayrollSettings
  /** What they hold on the day that is being changed. */
  theirs: SettingsValues
  mine: SettingsValues
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Both versions of the settings, and the choice between them. */
export function SettingsConflict({ base, saved, theirs, mine, ...choose }: Props) {
  const last = saved.history.find(({ version }) => version === saved.version)
  const who = last?.changedBy ?? 'Somebody'
  // What this person did not touch stays as the other one left it.
  const result = (name: (typeof settingsFields)[number]['name']) => (mine[name] === base[name] ? theirs : mine)
  return (
    <ConflictDialog
      title="The settings changed meanwhile"
      context={`${who} saved others${last ? ` on ${momentText(last.changedAt)}` : ''}. Nothing of yours is lost: choose.`}
      subject="Setting"
      rows={settingsFields.map(({ name, label, show }) => ({
        label,
        base: show(base),
        theirs: show(theirs),
        mine: show(result(name)),
      }))}
      {...choose}
    />
  )
}
