import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type FieldProps, inputProps } from './fields.tsx'
import { readFigure, Unreadable } from './figure.ts'
import styles from './form.module.css'
import { sentence, useField } from './form-state.ts'

interface TypedProps<T> extends FieldProps {
  decimals: number
  /** Converts a plain decimal to the form's value. */
  toValue: (decimal: string) => T
  isOptional?: boolean
  leftSection?: ReactNode
}

/** Keeps the text as typed. An invalid number blocks the form, and the field says why on blur. */
function TypedFigure<T>({ decimals, toValue, isOptional, leftSection, ...field }: TypedProps<T>) {
  const { value, error, set } = useField<T | Unreadable | ''>(field.name, field.label, '')
  const [typed, setTyped] = useState<{ text: string; value: T | Unreadable | '' }>()
  const [isLeft, setLeft] = useState(false)
  const text = typed?.value === value ? typed.text : String(value)
  const problem = text.trim() === '' ? undefined : readFigure(text, decimals).problem
  const change = (next: string) => {
    const { decimal } = readFigure(next, decimals)
    const read = next.trim() === '' ? '' : decimal === undefined ? new Unreadable(next) : toValue(decimal)
    setTyped({ text: next, value: read })
    setLeft(false)
    set(read === '' && isOptional ? undefined : read)
  }
  return (
    <TextInput
      {...inputProps(field)}
      classNames={{ input: styles.money ?? '' }}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      leftSection={leftSection}
      value={text}
      error={problem && (isLeft || error) ? sentence(field.label, problem) : error}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
    />
  )
}

interface FigureProps extends FieldProps {
  /** Digits after the decimal point; 0 for whole numbers. */
  decimals?: number
  /** An empty value is not sent. */
  isOptional?: boolean
}

/** A non-negative number. */
export const FigureField = ({ decimals = 0, ...field }: FigureProps) => (
  <TypedFigure decimals={decimals} toValue={Number} {...field} />
)

/** An amount in dollars, kept as exact text. An empty amount is not sent. */
export const MoneyField = ({ decimals = 2, ...field }: FieldProps & { decimals?: number }) => (
  <TypedFigure decimals={decimals} toValue={String} isOptional leftSection="$" {...field} />
)
