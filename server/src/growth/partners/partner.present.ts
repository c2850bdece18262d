import type {
  PartnerBusiness,
  PartnerDetail,
  PartnerSession,
  PartnerStatus,
} from '@limber/contract/growth/partners/partner.ts'
import { writeDollars } from '@limber/contract/kit/dollars.ts'
import { formatTime, formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { statusOf } from '#businesses/public.ts'
import type { NoteRecord, PartnerRecord } from './partner.queries.ts'
import type { SessionRecord } from './partner-session.queries.ts'

const MINUTE = 60_000

export const presentPartner = (row: PartnerRecord): PartnerBusiness => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  status: statusOf(row),
  repName: row.rep_name,
  repEmail: row.admin_email,
  emailList: row.emails,
  emailListSize: row.list_size,
  timesContacted: row.times_contacted,
  lastContact: row.last_contact_at?.toISOString() ?? null,
  activeUsers: row.active_users,
  onSiteSessions: row.onsite,
  totalUserSessions: row.user_sessions,
  totalRevenue: writeDollars(parseMoney(row.revenue)),
  avgRating: row.rating_count === 0 ? null : Math.round((row.rating_sum / row.rating_count) * 100) / 100,
  renewalDate: row.renews_on,
  pilotEndsOn: row.pilot_ends_on,
  endedReason: row.ended_reason,
  version: row.version,
})

const statusOfStage = (stage: NoteRecord['stage']): PartnerStatus | null => (stage === 'ended' ? 'inactive' : stage)

export const presentDetail = (row: PartnerRecord, notes: readonly NoteRecord[]): PartnerDetail => ({
  ...presentPartner(row),
  notes: notes.map(({ id, note, stage, worker, created_at }) => ({
    id,
    note,
    status: statusOfStage(stage),
    by: worker,
    at: created_at.toISOString(),
  })),
})

export function presentSession(row: SessionRecord): PartnerSession {
  const { time_zone: zone, slot_length } = row
  const slotTime = (slot: number) =>
    formatTime(new Date(row.starts_at.getTime() + slot * (slot_length ?? 0) * MINUTE), { zone })
  return {
    id: row.id,
    businessId: row.business_id,
    business: row.business,
    date: dayIn(zone, row.starts_at),
    time: formatTimeRange(row.starts_at, row.ends_at, { zone }),
    location: row.location,
    slotLength: slot_length,
    contact: row.rep_name ?? row.admin_email,
    contactEmail: row.admin_email,
    assignedStretcher: row.stretcher,
    participants: row.participants.map(({ slot, name, email, rating }) => ({
      slotTime: slotTime(slot),
      name,
      email,
      rating,
    })),
  }
}
