import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { ConflictDialog } from '#ui/form/conflict-dialog.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { type SettingsValues, settingsFields } from './settings-fields.ts'

interface Props {
  base: SettingsValues
  saved: PayrollSettings
  /** The saved values on the effective date of this change. */
  theirs: SettingsValues
  mine: SettingsValues
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

export function SettingsConflict({ base, saved, theirs, mine, ...choose }: Props) {
  const last = saved.history.find(({ version }) => version === saved.version)
  const who = last?.changedBy ?? 'Someone else'
  // Fields that this user did not change keep the saved values.
  const result = (name: (typeof settingsFields)[number]['name']) => (mine[name] === base[name] ? theirs : mine)
  return (
    <ConflictDialog
      title="Someone else changed these settings"
      context={`${who} saved other values${last ? ` on ${momentText(last.changedAt)}` : ''}. Select which version to keep.`}
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
