import { exportBlocks, exportLedger } from '@limber/contract/businesses/blocks/block.ts'
import { exportBusinesses } from '@limber/contract/businesses/business/business.ts'
import { exportSessions } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { exportEmails, listEmails } from '@limber/contract/businesses/emails/allowed-email.ts'
import { exportFeeds } from '@limber/contract/businesses/feeds/calendar-feed.ts'
import { exportParticipants } from '@limber/contract/businesses/sessions/onsite.ts'
import { exportZones } from '@limber/contract/businesses/zones/zone.ts'
import { foldCase } from '@limber/contract/kit/values.ts'
import { exporting, NO_COLUMN, walkAfter } from '#platform/exports/export.ts'
import { refuse } from '#platform/http/refusal.ts'
import { presentEntry } from './blocks/block.present.ts'
import { findEntriesAfter } from './blocks/ledger.queries.ts'
import { findBusiness } from './business/business.queries.ts'
import { findEmailsAfter } from './emails/allowed-email.queries.ts'

/** Times of this area have no offset on the wire. */
const utc = (bare: string | undefined) => bare && `${bare}Z`

export const businessesExports = [
  exporting(exportBusinesses, {
    rows: ({ businesses }) => businesses,
    columns: {
      id: 'ID',
      name: 'Name',
      custom_path: 'Custom path',
      admin_email: 'Admin email',
      zone_id: 'Zone ID',
      zone_name: 'Zone',
      time_zone: 'Time zone',
      rep_name: 'Representative',
      location: 'Location',
      status: 'Status',
      archived_at: 'Archived',
      version: NO_COLUMN,
      available_hours: 'Available hours',
      scheduled_sessions: 'Scheduled sessions',
    },
  }),
  exporting(exportBlocks, {
    rows: ({ blocks }) => blocks,
    columns: {
      id: 'ID',
      business_id: 'Business ID',
      block_hours: 'Hours',
      slot_length_minutes: 'Slot minutes',
      internal_label: 'Label',
      is_used: NO_COLUMN,
      state: 'State',
      expires_on: 'Expires on',
      version: NO_COLUMN,
      session: [
        ['Session ID', (session) => session?.id],
        ['Session start', (session) => utc(session?.starts_at)],
        ['Session end', (session) => utc(session?.ends_at)],
        ['Stretcher', (session) => session?.stretcher_name],
        ['Taken slots', (session) => session?.taken_slots],
        ['Slots', (session) => session?.slots],
      ],
    },
  }),
  exporting(exportLedger, {
    rows: ({ entries }) => entries,
    // The screen shows only the latest entries.
    async *batches({ params, db }, limit) {
      if (!(await findBusiness(db, params.id))) throw refuse(exportLedger.exports.list, 'not_found')
      for await (const rows of walkAfter<Awaited<ReturnType<typeof findEntriesAfter>>[number]>(limit, (last) =>
        findEntriesAfter(db, params.id, last?.id ?? 0, limit),
      ))
        yield rows.map(presentEntry)
    },
    columns: {
      id: 'ID',
      at: 'Time',
      kind: 'Movement',
      block_id: 'Block',
      label: 'Label',
      hours: 'Hours',
      slots: 'Slots',
      by: 'By',
      reason: 'Reason',
    },
  }),
  exporting(exportEmails, {
    rows: ({ emails }) => emails,
    async *batches(context, limit) {
      const { business_id, search } = context.query as unknown as { business_id: number; search: string }
      if (!(await findBusiness(context.db, business_id))) throw refuse(listEmails, 'not_found')
      const part = foldCase(search.trim()) || undefined
      yield* walkAfter<{ id: number; email: string; version: number }>(limit, (last) =>
        findEmailsAfter(context.db, business_id, part, last?.email ?? '', limit),
      )
    },
    columns: { id: 'ID', email: 'Email', version: NO_COLUMN },
  }),
  exporting(exportSessions, {
    rows: ({ sessions }) => sessions,
    columns: {
      id: 'ID',
      version: NO_COLUMN,
      block_id: 'Block ID',
      business: [
        ['Business ID', ({ id }) => id],
        ['Business', ({ name }) => name],
      ],
      zone: [
        ['Zone', ({ name }) => name],
        ['Time zone', ({ time_zone }) => time_zone],
      ],
      stretcher: [
        ['Stretcher ID', ({ id }) => id],
        ['Stretcher', ({ name }) => name],
      ],
      day: 'Day',
      starts_at: [['Start', utc]],
      ends_at: [['End', utc]],
      status: 'Status',
      slots: 'Slots',
      taken_slots: 'Taken slots',
      problem: 'Problem',
    },
  }),
  exporting(exportParticipants, {
    rows: ({ slot_list }) => slot_list,
    columns: {
      starts_at: [['Start', utc]],
      ends_at: [['End', utc]],
      participant: [
        ['Name', (person) => person?.name],
        ['Email', (person) => person?.email],
        ['Rating', (person) => person?.rating],
      ],
    },
  }),
  exporting(exportFeeds, {
    rows: ({ feeds }) => feeds,
    columns: {
      id: 'ID',
      business: [
        ['Business ID', (business) => business?.id],
        ['Business', (business) => business?.name],
      ],
      stretcher: [
        ['Stretcher ID', (stretcher) => stretcher?.id],
        ['Stretcher', (stretcher) => stretcher?.name],
      ],
      createdAt: 'Created',
      createdBy: 'Created by',
      lastUsedAt: 'Last used',
      revokedAt: 'Revoked',
      revokedBy: 'Revoked by',
    },
  }),
  exporting(exportZones, {
    rows: ({ zones }) => zones,
    columns: {
      id: 'ID',
      name: 'Name',
      time_zone: 'Time zone',
      version: NO_COLUMN,
      businesses: 'Businesses',
      stretchers: 'Stretchers',
    },
  }),
]
