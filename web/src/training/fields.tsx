import { capitalizeWords, MAX_KEY, toKey } from '@limber/contract/training/values.ts'
import { NumberInput, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField } from '#ui/form/form-state.ts'
import styles from './training.module.css'

/** Formats a key while it is typed: spaces become underscores. The rest is normalized on save. */
const typedKey = (text: string) =>
  text
    .replace(/\s+/g, '_')
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '')
    .slice(0, MAX_KEY)

/** A key: a slug while typing, locked for an existing record. */
export function KeyField({ label, name, isLocked }: { label: string; name: string; isLocked: boolean }) {
  const { value, error, set } = useField(name, label, '')
  return (
    <TextInput
      label={label}
      name={name}
      required
      withAsterisk
      disabled={isLocked}
      description={
        isLocked ? 'The key cannot be changed.' : 'Lowercase, joined by underscores. You cannot change it later.'
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      classNames={{ input: styles.code ?? '' }}
      autoComplete="off"
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => set(typedKey(event.currentTarget.value))}
      onBlur={() => set(toKey(value) || undefined)}
    />
  )
}

const suggestedKey = (title: string) => toKey(title).slice(0, MAX_KEY)

/** A title that is capitalized while typing. The key follows it until a key is typed. */
export function TitleField({ keyName }: { keyName: string | undefined }) {
  const [name, label] = ['title', 'Title']
  const { value, error, set } = useField(name, label, '')
  const key = useField(keyName ?? name, label, '')
  return (
    <TextInput
      label={label}
      name={name}
      required
      withAsterisk
      autoComplete="off"
      maxLength={200}
      value={value}
      error={error}
      onChange={(event) => {
        const input = event.currentTarget
        const at = input.selectionStart
        const title = capitalizeWords(input.value)
        if (keyName && key.value === suggestedKey(value)) key.set(suggestedKey(title) || undefined)
        set(title)
        // Capitalizing does not change the length, so the cursor can stay.
        requestAnimationFrame(() => input.setSelectionRange(at, at))
      }}
    />
  )
}

interface StepProps {
  label: string
  name: string
  step: number
  hint?: ReactNode
  /** The singular unit, such as `hour`; a symbol is shown as is. */
  unit?: string
  decimals?: number
  min?: number
  max?: number
}

const unitOf = (unit: string, value: number | string) => (unit === '%' || Number(value) === 1 ? unit : `${unit}s`)

/** A number field with steps; empty means no number. */
export function StepField({ label, name, step, hint, unit, decimals = 0, min = 0, max }: StepProps) {
  const { value, error, set } = useField<number | string>(name, label, '')
  return (
    <NumberInput
      label={label}
      name={name}
      min={min}
      {...(max === undefined ? {} : { max })}
      step={step}
      decimalScale={decimals}
      clampBehavior="none"
      {...(unit ? { suffix: ` ${unitOf(unit, value)}`, placeholder: unitOf(unit, '') } : {})}
      {...(hint ? { description: hint, inputWrapperOrder: ['label', 'input', 'error', 'description'] } : {})}
      value={value}
      error={error}
      onChange={(next) => set(next === '' ? undefined : next)}
    />
  )
}

/** A switch. */
export function FlagField({ label, name, hint, isDisabled = false }: FlagProps) {
  const { value, error, set } = useField(name, label, false)
  return (
    <Switch
      label={label}
      name={name}
      description={hint}
      disabled={isDisabled}
      checked={value}
      error={error}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}

interface FlagProps {
  label: string
  name: string
  hint?: string
  isDisabled?: boolean
}
