import {
  archiveBusiness,
  type BusinessField,
  businessFieldNames,
  businessFields,
  restoreBusiness,
  updateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { pickFields } from '@limber/contract/kit/fields.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

const zoneNames = (ids: readonly number[]) => sql`select id, name from zones where id = any(${ids}::bigint[])`

export const businessHistory: RecordHistory = {
  subject: 'business',
  async read(db, id) {
    const business = await db
      .selectFrom('businesses')
      .select([...businessFieldNames, 'archived_at'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return business && { name: business.name, values: business }
  },
  fields: [
    ...businessFields.map((field) => (field.name === 'zone_id' ? { ...field, names: zoneNames } : field)),
    { name: 'stage', label: 'Stage' },
    { name: 'renews_on', label: 'Renews on', kind: 'day' },
  ],
  actions: {
    business_created: 'added this business',
    business_changed: CHANGED,
    business_archived: 'archived the business',
    business_restored: 'restored the business from the archive',
    allowed_emails_uploaded: 'added allowed emails',
    allowed_emails_reset: 'removed all allowed emails',
    partner_changed: CHANGED,
    partner_noted: 'added a note',
    partner_outreach_sent: 'sent an email to the partner',
  },
  restores: [
    {
      ...{ call: updateBusiness, fields: businessFieldNames },
      input: (id, values, now) => ({
        body: { id: Number(id), ...pickFields(businessFields, now as Record<BusinessField, unknown>), ...values },
      }),
    },
  ],
  opposites: {
    business_archived: {
      call: restoreBusiness,
      input: (id) => ({ body: { id: Number(id) } }),
      fits: ({ archived_at }) => archived_at !== null,
    },
    business_restored: {
      call: archiveBusiness,
      input: (id) => ({ body: { id: Number(id) } }),
      fits: ({ archived_at }) => archived_at === null,
    },
  },
}
