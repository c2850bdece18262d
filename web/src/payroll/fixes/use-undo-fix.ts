import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { useUndo } from '../audit/audit.api.ts'

/** Takes a whole fix back, after a question; says what came of it. */
export function useUndoFix(): (operationId: number) => void {
  const undo = useUndo()
  return (operationId) =>
    void confirm({
      title: `Undo fix ${operationId}?`,
      body: 'All its adjustments count no more, and the audit finds the same discrepancies again. The record of the fix stays.',
      action: 'Undo fix',
    }).then((isYes) => {
      if (!isYes) return
      void undo.mutateAsync({ operation_id: operationId }).then(
        ({ undone }) => toast(`Fix ${operationId} is undone: ${pluralize(undone, 'adjustment')} taken back.`),
        (error: unknown) => toastFailure(`Fix ${operationId} was not undone`, error),
      )
    })
}
