import type { Certification, updateCertification } from '@limber/contract/certifications/certification.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { certificationQuery, holdersQuery, typesQuery, useIssue, useUpdate } from './certification.api.ts'
import type { ChangeSearch } from './certification-search.ts'
import styles from './certifications.module.css'
import { HolderField } from './holder-field.tsx'
import { expirationText } from './labels.ts'

const line = z.string().trim().min(1, 'is required').max(120, 'must be at most 120 characters')
const Fields = z.object({
  userId: z
    .string()
    .trim()
    .min(1, 'is required')
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number; select a user from the list'),
  certificationTypeId: z.number({ error: 'is required' }),
  name: line,
  instructor: line,
  dateIssued: z.string().optional(),
  validUntil: z.string().optional(),
})
type Fields = z.infer<typeof Fields>
const read = (typed: unknown): Fields => Fields.parse(typed)

/** The request body. Null removes an expiration date that the certification had. */
const bodyOf = ({ userId, dateIssued, validUntil, ...rest }: Fields, hadEnd: boolean) => ({
  ...rest,
  userId: Number(userId),
  ...(dateIssued ? { dateIssued } : {}),
  ...(validUntil ? { validUntil } : hadEnd ? { validUntil: null } : {}),
})

/** Offers the types that can be issued, and the current one even if retired. */
function TypeField({ current }: { current?: number }) {
  const query = useQuery(typesQuery)
  if (query.isError && !query.data) return <Banner kind="red">Error: Failed to fetch certification types</Banner>
  const options = (query.data?.types ?? [])
    .filter(({ id, isRetired }) => !isRetired || id === current)
    .map(({ id, certificationName }) => ({ value: String(id), label: certificationName }))
  return (
    <ChoiceField
      label="Certification Type"
      name="certificationTypeId"
      options={options}
      placeholder="Select a type"
      isNumeric
    />
  )
}

function Inputs({ current, isNew }: { current?: number; isNew: boolean }) {
  return (
    <>
      <HolderField />
      <TypeField {...(current === undefined ? {} : { current })} />
      <TextField
        label="Name"
        name="name"
        hint="As printed on the certificate. The public page and the credential show only the first name and an initial."
      />
      <TextField label="Instructor" name="instructor" />
      <FieldRow>
        <DayField label="Date issued" name="dateIssued" {...(isNew ? { hint: 'Today if empty.' } : {})} />
        <DayField
          label="Valid until"
          name="validUntil"
          hint={isNew ? 'Set by the type if empty.' : 'Does not expire if empty.'}
        />
      </FieldRow>
    </>
  )
}

interface CreateProps {
  /** Filled in from a link; 0 for none. */
  user: number
  type: number
  change: ChangeSearch
}

export function CreateForm({ user, type, change }: CreateProps) {
  const issue = useIssue()
  const holder = useQuery({ ...holdersQuery(String(user)), enabled: user > 0 })
  const known = holder.data?.holders.find(({ id }) => id === user)
  const mutation = {
    mutateAsync: async (typed: z.input<typeof Fields>) => {
      const made = await issue.mutateAsync(bodyOf(read(typed), false))
      toastUndo('Certification issued.', made, {
        detail: `${made.certificationName} for ${made.userName}`,
      })
      change({ view: '', certification: 0, user: 0, type: 0 }, { replace: true })
    },
  }
  return (
    <>
      <PageHead title="Add New Certification">Its public page goes live when you create it.</PageHead>
      <div className={styles.page}>
        <div className={styles.narrow}>
          <SectionCard>
            {user > 0 && holder.isPending ? (
              <TextSkeleton lines={6} />
            ) : (
              <Form
                schema={Fields}
                mutation={mutation}
                initial={{
                  ...(user > 0 && { userId: String(user), ...(known && { name: known.name }) }),
                  ...(type > 0 && { certificationTypeId: type }),
                }}
                submit="Create"
                onCancel={() => change({ view: '', user: 0, type: 0 })}
                isGuarded
              >
                <Inputs isNew />
              </Form>
            )}
          </SectionCard>
        </div>
      </div>
    </>
  )
}

const fieldsOf = (one: Certification): Fields => ({
  userId: String(one.userId),
  certificationTypeId: one.certificationTypeId,
  name: one.name,
  instructor: one.instructor,
  dateIssued: one.dateIssued,
  ...(one.validUntil ? { validUntil: one.validUntil } : {}),
})

function Editor({ certification, change }: { certification: Certification; change: ChangeSearch }) {
  // A refetch must not change the record that the form started from.
  const [base] = useState(certification)
  const update = useUpdate(base.id)
  const types = useQuery(typesQuery).data?.types ?? []
  const typeName = (id: number) => types.find((type) => type.id === id)?.certificationName ?? String(id)
  const leave = () => change({ view: '', certification: 0 })
  const { mutateAsync, conflict } = useConflict<typeof updateCertification, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this certification',
    formatters: [
      ['User ID', ({ userId }) => userId],
      ['Certification Type', ({ certificationTypeId }) => typeName(certificationTypeId)],
      ['Name', ({ name }) => name],
      ['Instructor', ({ instructor }) => instructor],
      ['Date issued', ({ dateIssued }) => dayText(dateIssued)],
      ['Valid until', ({ validUntil }) => expirationText(validUntil)],
    ],
    send: ({ version, ...fields }) => update.mutateAsync({ ...bodyOf(fields, true), version }),
    onSaved: (saved) => {
      toastUndo('Certification saved.', saved)
      leave()
    },
  })
  return (
    <SectionCard>
      {base.openedAt && (
        <div className={styles.note}>
          <Banner>The link was opened, so the user and type cannot change. You can still edit everything else.</Banner>
        </div>
      )}
      <Form
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(read(typed)) }}
        initial={fieldsOf(base)}
        submit="Update"
        onCancel={leave}
        isGuarded
      >
        <Inputs current={base.certificationTypeId} isNew={false} />
      </Form>
      {conflict}
    </SectionCard>
  )
}

/** The second of two concurrent edits resolves the conflict. */
export function EditForm({ id, change }: { id: number; change: ChangeSearch }) {
  const query = useQuery(certificationQuery(id))
  return (
    <>
      <PageHead title="Edit Certification">
        {query.data ? `${query.data.certificationName} for ${query.data.userName}` : 'Certification'}
      </PageHead>
      <div className={styles.page}>
        <div className={styles.narrow}>
          <QueryView query={query} failure="Error: Failed to fetch certifications">
            {(certification) => <Editor key={certification.id} certification={certification} change={change} />}
          </QueryView>
        </div>
      </div>
    </>
  )
}
