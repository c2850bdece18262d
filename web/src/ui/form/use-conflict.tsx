import type { CurrentOf } from '@limber/contract/kit/call.ts'
import { type ReactNode, useState } from 'react'
import { toastFailure } from '../feedback/toast-store.ts'
import { ConflictDialog, type ConflictRow } from './conflict-dialog.tsx'
import { mergeMine, type StaleCall, useVersionedSave } from './use-versioned-save.ts'

interface Options<R, F extends object> {
  /** The record as it was when editing began. */
  base: R
  /** The editable fields. */
  fieldsOf: (record: R) => F
  /** Labels and formatters of the fields, in the order of the form. */
  formatters: readonly (readonly [label: string, text: (fields: F) => string])[]
  title: string
  send: (fields: F & { version: number }) => Promise<R>
  onSaved: (record: R) => void
  /** Called when the person keeps the other version; `onSaved` by default. */
  onTaken?: (record: R) => void
  /** Merges both versions, where fields can be merged in more detail. */
  merge?: (base: F, theirs: F, mine: F) => F
}

/**
 * Saves a form with the version that editing began with. If someone else saved first, `conflict` is a dialog that shows
 * both versions and asks which one to keep.
 */
export function useConflict<C extends StaleCall, F extends object>(options: Options<CurrentOf<C, 'stale'>, F>) {
  const { base, fieldsOf, formatters, title, send, onSaved, onTaken = onSaved, merge = mergeMine } = options
  const versioned = useVersionedSave<C, F, CurrentOf<C, 'stale'>>(base, send)
  const [typed, setTyped] = useState<F>()
  const mutateAsync = async (fields: F) => {
    setTyped(fields)
    onSaved(await versioned.save(fields))
  }
  const { theirs } = versioned
  let conflict: ReactNode = null
  if (theirs && typed) {
    const merged = merge(fieldsOf(base), fieldsOf(theirs), typed)
    const rows = formatters
      .map(
        ([label, text]): ConflictRow => ({
          label,
          base: text(fieldsOf(base)),
          theirs: text(fieldsOf(theirs)),
          mine: text(merged),
        }),
      )
      // Leave out fields that no one changed.
      .filter((row) => row.theirs !== row.base || row.mine !== row.base)
    const saveMine = () =>
      versioned.overwrite(merged).then(onSaved, (error: unknown) => toastFailure("Couldn't save your changes", error))
    conflict = (
      <ConflictDialog
        title={title}
        rows={rows}
        onMine={() => void saveMine()}
        onTheirs={() => onTaken(theirs)}
        onClose={versioned.dismiss}
      />
    )
  }
  return { mutateAsync, conflict }
}
