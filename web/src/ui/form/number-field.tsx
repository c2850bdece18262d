import { NumberInput } from '@mantine/core'
import { type FieldProps, inputProps } from './fields.tsx'
import styles from './form.module.css'
import { useField } from './form-state.ts'

interface NumberProps extends FieldProps {
  min?: number
  max?: number
  decimals?: number
  suffix?: string
}

/** A number; an empty field has no value. */
export function NumberField({ min, max, decimals = 0, suffix, ...field }: NumberProps) {
  const { value, error, set } = useField<number | string>(field.name, field.label, '')
  return (
    <NumberInput
      {...inputProps(field)}
      className={styles.money ?? ''}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...(suffix ? { suffix } : {})}
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      clampBehavior="none"
      value={value}
      error={error}
      onChange={(next) => set(next === '' ? undefined : next)}
    />
  )
}
