import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import { TAX_NOTICE } from '@limber/contract/payroll/values.ts'
import styles from './tax-notice.module.css'

/** Said wherever calculated taxes are shown: what they are, and where the tables come from. */
export function TaxNotice({ tables = [] }: { tables?: AuditResult['tables'] }) {
  return (
    <footer className={styles.notice}>
      <p>{TAX_NOTICE}</p>
      {tables.map(({ year, publications }) => (
        <p key={year}>
          Tables of {year}: {[...new Set(publications)].join('; ')}.
        </p>
      ))}
    </footer>
  )
}
