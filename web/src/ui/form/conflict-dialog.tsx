import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../dialog/dialog.tsx'
import { PlainTable } from '../table/plain-table.tsx'
import styles from './conflict-dialog.module.css'

/** One field of a record that two people changed: the original, their value, and the result of saving mine. */
export interface ConflictRow {
  label: string
  base: string
  theirs: string
  mine: string
}

interface Props {
  title: string
  /** Who saved what. */
  context?: ReactNode
  /** The heading of the first column, such as 'Setting'. */
  subject?: string
  rows: readonly ConflictRow[]
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

const DEFAULT_CONTEXT =
  'Someone else saved changes while you were editing. Your changes are not lost. Select which version to keep.'

/** Shows both versions side by side and asks which one to keep. */
export function ConflictDialog({ title, context = DEFAULT_CONTEXT, subject = 'Field', rows, ...choose }: Props) {
  const foot = (
    <>
      <Button variant="default" onClick={choose.onTheirs}>
        Use theirs
      </Button>
      <Button onClick={choose.onMine}>Save mine</Button>
    </>
  )
  return (
    <Dialog isOpen onClose={choose.onClose} title={title} context={context} size={640} foot={foot}>
      <PlainTable label="Compare versions" isFramed>
        <thead>
          <tr>
            <th scope="col">{subject}</th>
            <th scope="col" className={styles.base}>
              Original
            </th>
            <th scope="col">Theirs</th>
            <th scope="col">If you save yours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, base, theirs, mine }) => (
            <tr key={label} className={styles.row} data-differs={theirs !== mine || undefined}>
              <th scope="row">{label}</th>
              <td className={styles.base}>{base}</td>
              <td>{theirs}</td>
              <td>{mine}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Dialog>
  )
}
