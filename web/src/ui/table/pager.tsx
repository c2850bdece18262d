import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Icon } from '../layout/icon.tsx'
import styles from './pager.module.css'

interface Props {
  page: number
  pages: number
  onPage: (page: number) => void
  /** Distinguishes several pagers on one screen. */
  label?: string
}

/** The page numbers to show: the first, the last, and those around the current one; 0 is a gap. */
export function visiblePages(page: number, pages: number): number[] {
  const near = new Set([1, page - 1, page, page + 1, pages])
  if (page <= 2) near.add(2).add(3)
  if (page >= pages - 1) near.add(pages - 1).add(pages - 2)
  const list = [...near].filter((one) => one >= 1 && one <= pages).sort((a, b) => a - b)
  return list.flatMap((one, place) => {
    const before = list[place - 1]
    return before !== undefined && one - before > 1 ? [0, one] : [one]
  })
}

/** Previous, page numbers, Next. */
export function Pager({ page, pages, onPage, label = 'Pages' }: Props) {
  const shown = visiblePages(page, pages)
  return (
    <nav className={styles.pager} aria-label={label}>
      <button type="button" aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon of={IconChevronLeft} size={14} />
        <span className={styles.word}>Previous</span>
      </button>
      {shown.map((one, place) =>
        one === 0 ? (
          <span key={`gap-${shown[place - 1]}`} className={styles.gap}>
            …
          </span>
        ) : (
          <button
            type="button"
            key={one}
            aria-label={`Page ${formatInteger(one)}`}
            aria-current={one === page ? 'page' : undefined}
            // Not `disabled`, so that it keeps the focus.
            aria-disabled={one === page || undefined}
            onClick={() => one !== page && onPage(one)}
          >
            {formatInteger(one)}
          </button>
        ),
      )}
      <button type="button" aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <span className={styles.word}>Next</span>
        <Icon of={IconChevronRight} size={14} />
      </button>
    </nav>
  )
}
