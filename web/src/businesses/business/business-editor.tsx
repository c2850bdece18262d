import { type Business, businessLabels, type updateBusiness } from '@limber/contract/businesses/business/business.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { isStale } from '#platform/api/call-failure.ts'
import { linkTo } from '#platform/routing/links.ts'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { useCan } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { mergeMine, useVersionedSave } from '#ui/form/use-versioned-save.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { DetailActions, DetailHead } from '#ui/layout/detail-pane.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { LedgerStrip } from '../blocks/ledger-strip.tsx'
import { statusLabels, statusMeaning } from '../labels.ts'
import { ZoneField } from '../zones/zone-field.tsx'
import { useUpdateBusiness } from './business.api.ts'
import { BusinessActions } from './business-actions.tsx'
import styles from './business-detail.module.css'
import { BusinessFields, fieldsOf } from './business-fields.ts'

const BusinessConflict = lazy(() => import('./business-conflict.tsx'))

interface Props {
  /** The version the form started with, or the one after archiving. */
  base: Business
  /** The business as last loaded. */
  latest: Business
  onRestart: (business: Business) => void
  /** Archived or restored; keeps the typed values. */
  onArchived: (business: Business) => void
  onGone: () => void
  onLedger: () => void
}

/** Name, custom path, admin email and zone, with Save and Delete. The second of two editors resolves the conflict. */
export function BusinessEditor({ base, latest, onRestart, onArchived, onGone, onLedger }: Props) {
  const id = useId()
  const mayPartner = useCan('growth.tab')
  useRecentRecord('business', base.id, latest.name)
  const update = useUpdateBusiness()
  const versioned = useVersionedSave<typeof updateBusiness, BusinessFields, Business>(base, (fields) => {
    const version = Math.max(fields.version, base.version)
    return update.mutateAsync({ ...fields, version, id: base.id })
  })
  const done = (saved: Business) => {
    toastUndo('Saved.', saved)
    onRestart(saved)
  }
  const model = useForm({
    schema: BusinessFields,
    mutation: { mutateAsync: async (typed) => done(await versioned.save(typed)) },
    initial: fieldsOf(base),
  })
  const mine = { ...fieldsOf(base), ...(model.values as Partial<BusinessFields>) }
  const { theirs } = versioned
  const saveMine = async () => {
    if (!theirs) return
    try {
      done(await versioned.overwrite(mergeMine(fieldsOf(base), fieldsOf(theirs), mine)))
    } catch (error) {
      // Changed again in between: show both versions again.
      if (!isStale(error)) toastFailure(messageOf(error), error)
    }
  }
  return (
    <div className={styles.editor}>
      <DetailHead
        title={latest.name}
        badges={
          <>
            <StatusBadge meaning="teal" hasDot={false}>
              {latest.zone_name}
            </StatusBadge>
            <StatusBadge meaning={statusMeaning[latest.status]}>{statusLabels[latest.status]}</StatusBadge>
            {mayPartner && (
              <Link
                className={styles.partner ?? ''}
                {...linkTo('/growth/business', { partner: base.id })}
                preload={false}
              >
                Partnership
              </Link>
            )}
          </>
        }
        actions={
          <DetailActions isStretched>
            <HistoryButton record={{ kind: 'business', id: base.id }} />
            <BusinessActions business={latest} onGone={onGone} onChanged={onArchived} />
            <Button type="submit" form={id} loading={model.isSending}>
              Save
            </Button>
          </DetailActions>
        }
      />
      {latest.archived_at && (
        <Banner>This business is archived. It keeps its records and accepts no new blocks or sessions.</Banner>
      )}
      <SectionCard title="Details">
        <FormBody model={model} id={id}>
          <div className={styles.fields}>
            <TextField label={businessLabels.name} name="name" />
            <TextField label={businessLabels.custom_path} name="custom_path" />
            <TextField label={businessLabels.admin_email} name="admin_email" type="email" />
            <ZoneField />
            <div className={styles.more}>
              <TextField label={businessLabels.rep_name} name="rep_name" />
            </div>
            <div className={styles.more}>
              <TextField label={businessLabels.location} name="location" placeholder="Where sessions take place" />
            </div>
          </div>
        </FormBody>
        <LedgerStrip businessId={base.id} onOpen={onLedger} />
      </SectionCard>
      <Suspense>
        {theirs && (
          <BusinessConflict
            base={fieldsOf(base)}
            theirs={fieldsOf(theirs)}
            mine={mine}
            onMine={() => void saveMine()}
            onTheirs={() => onRestart(theirs)}
            onClose={versioned.dismiss}
          />
        )}
      </Suspense>
      <LeaveGuard isDirty={model.isDirty && !model.isSending} record="business" />
    </div>
  )
}
