import { useId } from 'react'
import { useField } from '../form-state.ts'
import styles from './many-field.module.css'

interface ManyProps {
  label: string
  name: string
  options: readonly { value: string; label: string }[]
  isNumeric?: boolean
  hint?: string
  none: string
}

/** Multiple selection in a list four rows high; each option has a checkbox, so no modifier key is needed. */
export function ManyField({ label, name, options, isNumeric = false, hint, none }: ManyProps) {
  const id = useId()
  const { value, error, set } = useField<(string | number)[]>(name, label, [])
  const chosen = new Set(value.map(String))
  const toggle = (one: string, isOn: boolean) => {
    const next = options.map((option) => option.value).filter((key) => (key === one ? isOn : chosen.has(key)))
    set(isNumeric ? next.map(Number) : next)
  }
  return (
    <fieldset className={styles.many} aria-describedby={`${id}-note`}>
      <legend className={styles.manyLabel}>
        {label}
        {chosen.size > 0 && <span className={styles.count}>{chosen.size}</span>}
      </legend>
      <div className={styles.rows}>
        {options.map((option) => (
          <label key={option.value} className={styles.row}>
            <input
              type="checkbox"
              checked={chosen.has(option.value)}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
            <span>{option.label}</span>
          </label>
        ))}
        {options.length === 0 && <p className={styles.none}>{none}</p>}
      </div>
      <p id={`${id}-note`} className={error ? styles.problem : styles.hint}>
        {error ?? hint}
      </p>
    </fieldset>
  )
}
