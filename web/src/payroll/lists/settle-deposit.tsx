import { settleDeposit } from '@limber/contract/payroll/lists/transaction.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { dollarsText } from '../dollars.tsx'
import { type Transaction, useSettleDeposit } from '../payroll.api.ts'

const texts = {
  completed: {
    action: 'Mark completed',
    title: 'Mark this deposit as completed?',
    submit: 'Mark as completed',
    context: 'This cannot be changed later.',
    hint: 'For example, the EFTPS confirmation number. Saved in the audit log.',
    done: 'Deposit marked as completed.',
  },
  failed: {
    action: 'Mark failed',
    title: 'Mark this deposit as failed?',
    submit: 'Mark as failed',
    context: 'Once the deposit has been made again, mark it as completed.',
    hint: 'Why it failed. Saved in the audit log.',
    done: 'Deposit marked as failed.',
  },
} as const

type Outcome = keyof typeof texts

/** Records the outcome of a tax deposit. Hidden for other transactions and completed deposits. */
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
          aria-label={`${texts[one].action}: ${dollarsText(amount)}`}
          onClick={() => setOutcome(one)}
        >
          {texts[one].action}
        </Button>
      ))}
      {outcome && (
        <FormDialog
          isOpen
          onClose={() => setOutcome(undefined)}
          title={texts[outcome].title}
          context={`Tax deposit of ${dollarsText(amount)}. ${texts[outcome].context}`}
          submit={texts[outcome].submit}
          schema={settleDeposit.body}
          fixed={{ status: outcome }}
          mutation={settle}
          onDone={() => toast(texts[outcome].done)}
        >
          <TextField label="Note" name="note" isOptional hint={texts[outcome].hint} />
        </FormDialog>
      )}
    </>
  )
}
