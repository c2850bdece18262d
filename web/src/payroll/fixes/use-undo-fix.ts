import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { useUndo } from '../audit/audit.api.ts'

/** Undoes a whole fix after a confirmation. */
export function useUndoFix(): (operationId: number) => void {
  const undo = useUndo()
  return (operationId) =>
    void confirm({
      title: `Undo fix ${operationId}?`,
      body: 'All its adjustments will be reversed, and the audit will show the discrepancies again. The fix stays in the history.',
      action: 'Undo fix',
    }).then((isYes) => {
      if (!isYes) return
      void undo.mutateAsync({ operation_id: operationId }).then(
        ({ undone }) => toast(`Fix ${operationId} undone. ${pluralize(undone, 'adjustment')} reversed.`),
        (error: unknown) => toastFailure(`Couldn't undo fix ${operationId}`, error),
      )
    })
}
