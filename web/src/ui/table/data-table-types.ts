import type { ReactNode } from 'react'

/** One column of a table. */
export interface Column<Row> {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** The name by which the server orders; without it the head is plain words. */
  sort?: string
  /** The first press orders downwards: moments and figures. */
  isDownFirst?: boolean
  /** Figures and row actions stand at the right. */
  isRight?: boolean
  /** The column that names the row; it carries the way to open it. */
  isTitle?: boolean
  /** The words of the head are for screen readers only: row actions speak for themselves. */
  hidesHead?: boolean
  /** What it shows says by itself what it is: no label stands before it where rows are stacked. */
  isPlain?: boolean
  width?: number | string
}

/** The chosen rows, by key. */
export interface Selection {
  ids: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
}
