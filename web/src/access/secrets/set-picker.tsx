import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { useField } from '#ui/form/form-state.ts'
import styles from './secrets.module.css'

export type Presets<T> = readonly [label: string, values: readonly T[]][]

interface Props<T> {
  /** The field of the surrounding form that holds the set. */
  name: string
  label: string
  all: readonly T[]
  presets: Presets<T>
  /** Lays out the boxes. `name` is for screen readers, where the label needs its row to be understood. */
  children: (box: (value: T, label: string, name?: string) => ReactNode) => ReactNode
}

const isSameSet = <T,>(a: readonly T[], b: readonly T[]) => a.length === b.length && a.every((each) => b.includes(each))

/** A set of values as boxes, with a count and a few starting points. */
export function SetPicker<T extends string>({ name, label, all, presets, children }: Props<T>) {
  const { value, error, set } = useField<readonly T[]>(name, label, [])
  const box = (each: T, text: string, spoken = text) => (
    <Checkbox
      key={each}
      size="xs"
      label={text}
      aria-label={spoken}
      checked={value.includes(each)}
      onChange={({ currentTarget }) =>
        set(currentTarget.checked ? [...value, each] : value.filter((other) => other !== each))
      }
    />
  )
  return (
    <fieldset className={styles.picker}>
      <div className={styles.pickerHead}>
        <legend className={styles.legend}>{label}</legend>
        <span className={styles.count} role="status">
          {value.length} of {all.length}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons of a toolbar inside the fieldset */}
        <div className={styles.presets} role="group" aria-label="Start from">
          {presets.map(([text, values]) => (
            <button key={text} type="button" aria-pressed={isSameSet(value, values)} onClick={() => set(values)}>
              {text}
            </button>
          ))}
        </div>
      </div>
      {error && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
      <div className={styles.boxes}>{children(box)}</div>
    </fieldset>
  )
}
