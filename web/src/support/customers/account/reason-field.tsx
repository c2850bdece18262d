import { AreaField } from '#ui/form/fields.tsx'

export function ReasonField() {
  return <AreaField label="Reason" name="reason" rows={2} hint="Saved in the audit log with your name." />
}
