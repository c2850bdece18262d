import { FigureField } from '#ui/form/figure-field.tsx'
import { useField } from '#ui/form/form-state.ts'
import { percentText } from '../labels.ts'
import styles from './settings.module.css'

interface Props {
  label: string
  name: string
  hint: string
}

/** A rate from 0 to 1, shown as a percentage next to the field. */
export function RateField({ label, name, hint }: Props) {
  const { value } = useField<number | ''>(name, label, '')
  return (
    <div className={styles.rate}>
      <FigureField label={label} name={name} decimals={4} hint={hint} />
      <output className={styles.percent} aria-label={`${label} as a percentage`}>
        {typeof value === 'number' ? percentText(value) : '--'}
      </output>
    </div>
  )
}
