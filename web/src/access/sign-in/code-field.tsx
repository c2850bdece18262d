import { type Ref, useId, useState } from 'react'
import styles from './code-field.module.css'

const LENGTH = 6
const positions = Array.from({ length: LENGTH }, (_, index) => index)

/** The first six digits of the typed or pasted text. */
const digitsOf = (text: string) => text.replace(/[^0-9]/g, '').slice(0, LENGTH)

export const isCompleteCode = (code: string) => code.length === LENGTH

interface Props {
  label: string
  hint?: string
  value: string
  onChange: (code: string) => void
  isDisabled?: boolean
  isWrong?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Looks like six boxes but is one input, so that paste, autofill and screen readers work. */
export function CodeField({ label, hint, value, onChange, isDisabled = false, isWrong = false, ref }: Props) {
  const id = useId()
  const [hasFocus, setFocus] = useState(false)
  const next = Math.min(value.length, LENGTH - 1)
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.code} data-wrong={isWrong || undefined} data-disabled={isDisabled || undefined}>
        {positions.map((index) => (
          <span key={index} aria-hidden className={styles.box} data-now={(hasFocus && index === next) || undefined}>
            {value[index]}
          </span>
        ))}
        <input
          id={id}
          ref={ref}
          className={styles.input}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          autoComplete="one-time-code"
          spellCheck={false}
          value={value}
          readOnly={isDisabled}
          {...(isWrong ? { 'aria-invalid': true } : {})}
          {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
          onChange={(event) => onChange(digitsOf(event.currentTarget.value))}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
        />
      </div>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
