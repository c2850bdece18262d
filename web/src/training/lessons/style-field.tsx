import { useField } from '#ui/form/form-state.ts'
import { StyleEditor } from '../editors/style-editor.tsx'

/** Custom CSS as a form field. */
export function StyleField({ label, name }: { label: string; name: string }) {
  const { value, set } = useField(name, label, '')
  return <StyleEditor label={label} value={value} onChange={set} />
}
