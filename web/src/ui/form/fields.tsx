import { Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './form.module.css'
import { useField } from './form-state.ts'

export interface FieldProps {
  label: string
  name: string
  hint?: ReactNode
  isDisabled?: boolean
}

/** Props that every field passes to its input. */
export const inputProps = ({ label, name, hint, isDisabled }: FieldProps) => ({
  label,
  name,
  ...(hint ? { description: hint } : {}),
  ...(isDisabled ? { disabled: true } : {}),
  inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
})

interface TextProps extends FieldProps {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search' | 'password'
  placeholder?: string
  autoComplete?: string
  /** An empty value is not sent. */
  isOptional?: boolean
}

/** One line of text. */
export function TextField({ type = 'text', placeholder, autoComplete = 'off', isOptional, ...field }: TextProps) {
  const { value, error, set } = useField(field.name, field.label, '')
  return (
    <TextInput
      {...inputProps(field)}
      type={type}
      autoComplete={autoComplete}
      {...(placeholder ? { placeholder } : {})}
      value={value}
      error={error}
      onChange={(event) => set(event.currentTarget.value === '' && isOptional ? undefined : event.currentTarget.value)}
    />
  )
}

interface AreaProps extends FieldProps {
  rows?: number
  placeholder?: string
  isOptional?: boolean
}

/** Several lines of text; grows with its content. */
export function AreaField({ rows = 4, placeholder, isOptional, ...field }: AreaProps) {
  const { value, error, set } = useField(field.name, field.label, '')
  return (
    <Textarea
      {...inputProps(field)}
      {...(placeholder ? { placeholder } : {})}
      minRows={rows}
      maxRows={16}
      value={value}
      error={error}
      onChange={(event) => set(event.currentTarget.value === '' && isOptional ? undefined : event.currentTarget.value)}
    />
  )
}

interface ChoiceProps extends FieldProps {
  options: readonly { value: string; label: string; isDisabled?: boolean }[]
  placeholder?: string
  /** The values are sent as numbers. */
  isNumeric?: boolean
}

/** Selects one of a few options. A native select, which is fast and works well on phones. */
export function ChoiceField({ options, placeholder, isNumeric = false, ...field }: ChoiceProps) {
  const { value, error, set } = useField<string | number>(field.name, field.label, '')
  const data = options.map((one) => ({ value: one.value, label: one.label, disabled: one.isDisabled ?? false }))
  return (
    <NativeSelect
      {...inputProps(field)}
      data={placeholder === undefined ? data : [{ value: '', label: placeholder }, ...data]}
      value={String(value)}
      error={error}
      onChange={(event) => {
        const next = event.currentTarget.value
        set(next === '' ? undefined : isNumeric ? Number(next) : next)
      }}
    />
  )
}

/** A checkbox. */
export function CheckField(field: FieldProps) {
  const { value, error, set } = useField(field.name, field.label, false)
  const { label, name, hint, isDisabled } = field
  return (
    <Checkbox
      label={label}
      name={name}
      description={hint}
      disabled={isDisabled ?? false}
      checked={value}
      error={error}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}

/** A switch. */
export function SwitchField(field: FieldProps) {
  const { value, error, set } = useField(field.name, field.label, false)
  const { label, name, hint, isDisabled } = field
  return (
    <Switch
      label={label}
      name={name}
      description={hint}
      disabled={isDisabled ?? false}
      checked={value}
      error={error}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}

/** Fields side by side, wrapping when space runs out. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
