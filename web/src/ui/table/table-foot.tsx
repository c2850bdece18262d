import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { NativeSelect } from '@mantine/core'
import { useId } from 'react'
import { Pager } from './pager.tsx'
import styles from './table-foot.module.css'
import { pageSizes, type TableState } from './table-state.ts'

interface Props {
  state: TableState
  total: number | undefined
  /** There are more rows than were counted. */
  isMore: boolean | undefined
  shown: number
}

/** The shown range, the page size and the pager. */
export function TableFoot({ state, total, isMore, shown }: Props) {
  const id = useId()
  const first = (state.page - 1) * state.limit + 1
  const pages = Math.max(1, Math.ceil((total ?? 0) / state.limit))
  return (
    <div className={styles.foot}>
      <span className={styles.count} role="status">
        {total !== undefined &&
          shown > 0 &&
          `${formatInteger(first)} to ${formatInteger(first + shown - 1)} of ${isMore ? 'more than ' : ''}${formatInteger(total)}`}
      </span>
      <div className={styles.rows}>
        <label htmlFor={id}>Rows</label>
        <NativeSelect
          id={id}
          classNames={{ input: styles.select ?? '' }}
          data={pageSizes.map(String)}
          value={String(state.limit)}
          onChange={(event) => state.setLimit(Number(event.currentTarget.value))}
        />
      </div>
      <Pager page={state.page} pages={pages} onPage={state.setPage} />
    </div>
  )
}
