import type { PayloadView } from '@limber/contract/tech/integrations/integration.ts'
import { Facts } from '#ui/layout/facts.tsx'
import styles from '../tech.module.css'

/** The visible fields of a payload, and the names of the hidden ones. */
export function Payload({ payload: { fields, withheld } }: { payload: PayloadView }) {
  return (
    <section aria-label="Content">
      <h3 className={styles.heading}>Content</h3>
      {fields.length > 0 && (
        <Facts>
          {fields.map(({ name, value }) => (
            <Facts.Row key={name} label={name}>
              <span className={styles.value}>{value}</span>
            </Facts.Row>
          ))}
        </Facts>
      )}
      <p className={styles.muted}>
        {withheld.length > 0
          ? `Not shown: ${withheld.join(', ')}.`
          : fields.length === 0 && 'The content is not stored.'}
      </p>
    </section>
  )
}
