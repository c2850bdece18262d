import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useField } from '#ui/form-state.ts'

interface Props {
  label: string
  name: string
  hint?: string
  /** Digits after the point; none for whole numbers. */
  decimals?: number
}

/** Digits and at most one point, with as many decimals as are allowed. */
function cleaned(text: string, decimals: number): string {
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.')
  return decimals > 0 && rest.length > 0 ? `${whole}.${rest.join('').slice(0, decimals)}` : whole
}

/** A figure that is not negative. What is typed stays as it is typed; nothing typed is no figure. */
export function FigureField({ label, name, hint, decimals = 0 }: Props) {
  const { value, error, set } = useField<number | ''>(name, label, '')
  const [text, setText] = useState(String(value))
  return (
    <TextInput
      label={label}
      name={name}
      {...(hint ? { description: hint } : {})}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      inputMode={decimals > 0 ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={text}
      error={error}
      onChange={(event) => {
        const next = cleaned(event.currentTarget.value, decimals)
        setText(next)
        set(/\d/.test(next) ? Number(next) : undefined)
      }}
    />
  )
}
