import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { TAX_NOTICE } from '@limber/contract/payroll/values.ts'
import styles from './tax-notice.module.css'

/** Shown next to all calculated taxes: the disclaimer and the sources of the tables. */
export function TaxNotice({ tables = [] }: { tables?: AuditResult['tables'] }) {
  return (
    <footer className={styles.notice}>
      <p>{TAX_NOTICE}</p>
      {tables.map(({ year, publications }) => (
        <p key={year}>
          {year} tax tables: {[...new Set(publications)].join('; ')}.
        </p>
      ))}
    </footer>
  )
}
