import { settleDeposit } from '@limber/contract/payroll/lists/transaction.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { dollarsText } from '../dollars.tsx'
import { type Transaction, useSettleDeposit } from '../payroll.api.ts'

const words = {
  completed: {
    action: 'Completed',
    title: 'Did the deposit reach the tax offices?',
    submit: 'Mark as completed',
    context: 'A completed deposit stays completed.',
    hint: 'The confirmation number, say. Kept in the audit log.',
    done: 'The deposit is completed.',
  },
  failed: {
    action: 'Failed',
    title: 'Did the deposit fail?',
    submit: 'Mark as failed',
    context: 'Mark it as completed when it was made again.',
    hint: 'Why it failed. Kept in the audit log.',
    done: 'The deposit is marked as failed.',
  },
} as const

type Outcome = keyof typeof words

/** Says what became of a tax deposit; nothing for other transactions, and for one that is completed. */
export function SettleDeposit({ transaction }: { transaction: Transaction }) {
  const { id, transactionType, status, amount } = transaction
  const [outcome, setOutcome] = useState<Outcome>()
  const settle = useSettleDeposit(id)
  if (transactionType !== 'tax_deposit' || status === 'completed') return null
  const outcomes: readonly Outcome[] = status === 'pending' ? ['failed', 'completed'] : ['completed']
  return (
    <>
      {outcomes.map((one) => (
        <Button
          key={one}
          variant="default"
          size="xs"
          ml={4}
          aria-label={`${words[one].action}: ${dollarsText(amount)}`}
          onClick={() => setOutcome(one)}
        >
          {words[one].action}
        </Button>
      ))}
      {outcome && (
        <FormDialog
          isOpen
          onClose={() => setOutcome(undefined)}
          title={words[outcome].title}
          context={`${dollarsText(amount)} of taxes. ${words[outcome].context}`}
          submit={words[outcome].submit}
          schema={settleDeposit.body}
          fixed={{ status: outcome }}
          mutation={settle}
          onDone={() => toast(words[outcome].done)}
        >
          <TextField label="Note" name="note" isOptional hint={words[outcome].hint} />
        </FormDialog>
      )}
    </>
  )
}
