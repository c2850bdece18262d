import type { CurrentOf } from '@limber/contract/kit/call.ts'
import { type ReactNode, useState } from 'react'
import { toastFailure } from '../feedback/toast-store.ts'
import { ConflictDialog, type ConflictRow } from './conflict-dialog.tsx'
import { mergeMine, type StaleCall, useVersionedSave } from './use-versioned-save.ts'

interface Options<R, F extends object> {
  /** The record that the person began with. */
  base: R
  /** What of it can be edited. */
  fieldsOf: (record: R) => F
  /** The fields in words, in the order of the form. */
  formatters: readonly (readonly [label: string, text: (fields: F) => string])[]
  title: string
  send: (fields: F & { version: number }) => Promise<R>
  onSaved: (record: R) => void
  /** The other version was taken; as saved unless told. */
  onTaken?: (record: R) => void
  /** What both versions come to, where fields can be joined more finely. */
  merge?: (base: F, theirs: F, mine: F) => F
}

/**
 * Saves what a form holds with the version it began with. When somebody else was quicker, both versions are shown and
 * the person chooses: the dialog for that is the second part of the answer.
 */
export function useConflict<C extends StaleCall, F extends object>(options: Options<CurrentOf<C, 'stale'>, F>) {
  const { base, fieldsOf, formatters: words, title, send, onSaved, onTaken = onSaved, merge = mergeMine } = options
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
    const rows = words
      .map(
        ([label, text]): ConflictRow => ({
          label,
          base: text(fieldsOf(base)),
          theirs: text(fieldsOf(theirs)),
          mine: text(merged),
        }),
      )
      // What nobody changed needs no choice.
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
