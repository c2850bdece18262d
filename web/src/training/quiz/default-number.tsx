import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<NumberInputProps, 'value' | 'onChange' | 'onBlur' | 'defaultValue'> {
  value: number
  /** The default value. */
  otherwise: number
  onChange: (value: number) => void
}

/** A number field with a default. An emptied field stays empty until it loses focus, then shows the default. */
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
