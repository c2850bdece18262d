import { formatPhone, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { type DuplicateList, mergeUsers } from '@limber/contract/support/customers/account.ts'
import { useQuery } from '@tanstack/react-query'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { useField } from '#ui/form/form-state.ts'
import { NumberField } from '#ui/form/number-field.tsx'
import { duplicatesQuery, useMerge } from './account.api.ts'
import type { AccountFormProps } from './account-form.ts'
import styles from './merge-form.module.css'
import { ReasonField } from './reason-field.tsx'

function Candidate({ one }: { one: DuplicateList[number] }) {
  const { value, set } = useField<number | string>('duplicateId', 'Duplicate', '')
  return (
    <label className={styles.candidate} data-chosen={value === one.id || undefined}>
      <input type="radio" name="duplicate" checked={value === one.id} onChange={() => set(one.id)} />
      <span className={styles.who}>
        <span className={styles.name}>{one.name}</span>
        <span className={styles.meta}>
          {one.email}
          {one.phone && ` · ${formatPhone(one.phone)}`}
        </span>
        <span className={styles.meta}>
          {one.why} · {pluralize(one.bookings, 'booking')} · {pluralize(one.credits, 'credit')}
        </span>
      </span>
    </label>
  )
}

export function MergeForm({ user: { personalInfo }, onClose, onDone }: AccountFormProps) {
  const { id, name } = personalInfo
  const query = useQuery(duplicatesQuery(id))
  const merge = useMerge(id)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Merge a duplicate into ${name}`}
      context="Bookings, payments, credits, tickets and notes move here, and the duplicate is closed. This cannot be undone. You confirm with your passkey."
      submit="Merge"
      isDestructive
      size={520}
      schema={mergeUsers.body}
      mutation={{
        mutateAsync: async (body) => {
          const { moved } = await merge.mutateAsync(body)
          toast(`Merged. Moved ${pluralize(moved.bookings, 'booking')} and ${pluralize(moved.credits, 'credit')}.`)
        },
      }}
      onDone={onDone}
    >
      <QueryView
        query={query}
        failure="Couldn't load duplicates"
        loading={<TextSkeleton lines={2} />}
        isEmpty={(found) => found.length === 0}
        empty={<p className={styles.meta}>No other account has the same phone or name.</p>}
      >
        {(found) => (
          <fieldset className={styles.found}>
            <legend className={styles.legend}>Accounts that may be the same person</legend>
            <div className={styles.list}>
              {found.map((one) => (
                <Candidate key={one.id} one={one} />
              ))}
            </div>
          </fieldset>
        )}
      </QueryView>
      <NumberField
        label="User ID of the duplicate"
        name="duplicateId"
        min={1}
        hint="Select an account above or type its ID."
      />
      <ReasonField />
    </FormDialog>
  )
}
