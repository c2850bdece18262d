import type { ReactNode } from 'react'

/** One column of a table. */
export interface Column<Row> {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** The server's sort key; without it the column cannot be sorted. */
  sort?: string
  /** Sorts descending first, for dates and numbers. */
  isDownFirst?: boolean
  /** Right-aligned, for numbers and row actions. */
  isRight?: boolean
  /** The column that names the row and opens it. */
  isTitle?: boolean
  /** Shows the header to screen readers only, for row actions. */
  hidesHead?: boolean
  /** Needs no label when rows are stacked. */
  isPlain?: boolean
  /** Comes first and without a label when rows are stacked, where another column must be first in the table. */
  leads?: boolean
  /** Wraps where the table has no room, for names and other words. */
  wraps?: boolean
  width?: number | string
}

/** The selected rows, by key. */
export interface Selection {
  ids: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
}
