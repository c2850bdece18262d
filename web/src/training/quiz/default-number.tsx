import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'defaultValue'> {
  value: number
  /** What it is when nothing is typed. */
  otherwise: number
  onChange: (value: number) => void
}

/** A number that has a default. While it is emptied it stays empty: the default shows when the field is left. */
export function DefaultNumber({ value, otherwise, onChange, ...rest }: Props) {
  const [isEmptied, setEmptied] = useState(false)
  return (
    <NumberInput
      {...rest}
      allowNegative={false}
      value={isEmptied ? '' : value}
      onChange={(next) => {
        setEmptied(next === '')
        onChange(next === '' ? otherwise : Number(next))
      }}
      onBlur={() => setEmptied(false)}
    />
  )
}
