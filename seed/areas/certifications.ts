import { companyDay } from '@limber/contract/kit/company.ts'
import { draftCertification, draftCertificationType } from '@limber/server/certifications/certification.factory.ts'
import { addMonths, encodeShortId, SHORT_ID_BYTES } from '@limber/server/certifications/certification.rules.ts'
import { DAY, shift } from '@limber/server/platform/clock.ts'
import { instructors, revocations, type TypePlan, typePlans } from '../certifications/types.ts'
import type { Random } from '../random.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

interface Trained {
  id: number
  customer_id: number
  first_name: string
  last_name: string
  status: 'active' | 'inactive' | 'in_training'
  trained_at: Date | null
  deactivated_at: Date | null
  has_upcoming_onsite: boolean
}

/** Stretchers who finished training. */
async function readTrained({ db, calendar }: SeedContext): Promise<Trained[]> {
  const rows = await db
    .selectFrom('stretchers as s')
    .select(['s.id', 's.customer_id', 's.first_name', 's.last_name', 's.status', 's.trained_at', 's.deactivated_at'])
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('onsite_sessions as o')
            .select('o.id')
            .whereRef('o.stretcher_id', '=', 's.id')
            .where('o.starts_at', '>', calendar.now),
        )
        .as('has_upcoming_onsite'),
    )
    .where('s.trained_at', 'is not', null)
    .orderBy('s.id')
    .execute()
  return rows.map((row) => ({ ...row, has_upcoming_onsite: Boolean(row.has_upcoming_onsite) }))
}

/** Six types, and the certifications that stretchers earned, renewed, let expire or lost. */
export const certifications: Seeder = {
  name: 'Certifications',
  async seed(context) {
    const { calendar } = context
    const created_at = calendar.at(-1100, 10 * 60)
    await context.copy(
      'certification_types',
      typePlans.map((plan, index) => ({
        id: index + 1,
        ...draftCertificationType({
          name: plan.name,
          description: plan.description,
          valid_months: plan.months,
          is_required: plan.isRequired ?? false,
          retired_at: plan.isRetired ? calendar.at(-200, 10 * 60) : null,
          created_at,
        }),
      })),
    )
    const staff = await context.db.selectFrom('workers').select('id').where('role', '=', 'Operations').execute()
    const issuers = staff.map(({ id }) => Number(id))
    const rows: object[] = []
    for (const [index, person] of (await readTrained(context)).entries()) {
      const random = context.random(`certifications/${person.id}`)
      // Every ninth stretcher without an upcoming on-site session forgot to renew, so that the lists are not empty.
      const hasExpired = person.status === 'active' && !person.has_upcoming_onsite && index % 9 === 4
      const isDue = person.status === 'active' && index % 9 === 1
      for (const [nth, plan] of typePlans.entries()) {
        if (!random.chance(plan.share)) continue
        const renewal = plan.isRequired ? (hasExpired ? 'expired' : isDue ? 'due' : 'usual') : 'usual'
        const earned = earn(random, calendar.now, person, plan, renewal)
        for (const one of earned)
          rows.push({
            id: rows.length + 1,
            ...draftRow(random, person, nth + 1, { ...one, issued_by: random.pick(issuers) }),
          })
      }
    }
    await context.copy('certifications', rows)
  },
}

interface Earned {
  issuedAt: Date
  until: string | null
  revokedAt: Date | null
}

/** Expired: not renewed in time. Due: expires within weeks. */
type Renewal = 'usual' | 'expired' | 'due'

/** Certifications from training to today or the last day of work, each renewed shortly before it expires. */
function earn(random: Random, now: Date, person: Trained, plan: TypePlan, renewal: Renewal): Earned[] {
  const today = companyDay(now)
  const end = person.deactivated_at ?? now
  const earned: Earned[] = []
  let issuedAt = shift(person.trained_at ?? now, plan.isRequired ? 0 : random.integer(5, 90) * DAY)
  while (issuedAt < end) {
    const until = plan.months === null ? null : addMonths(companyDay(issuedAt), plan.months)
    earned.push({ issuedAt, until, revokedAt: null })
    if (until === null || until > today) break
    issuedAt = shift(new Date(`${until}T18:00:00Z`), -random.integer(2, 30) * DAY)
  }
  const last = earned.at(-1)
  if (!last) return earned
  if (renewal === 'due') {
    last.until = companyDay(shift(now, random.integer(4, 26) * DAY))
  } else if (renewal === 'expired') {
    // The last one expired some weeks ago.
    last.until = companyDay(shift(now, -random.integer(3, 40) * DAY))
    const latest = new Date(`${last.until}T18:00:00Z`)
    if (last.issuedAt > latest) last.issuedAt = shift(latest, -300 * DAY)
  } else if (person.deactivated_at && random.chance(0.5)) {
    last.revokedAt = shift(person.deactivated_at, 3 * DAY) < now ? shift(person.deactivated_at, 3 * DAY) : now
  } else if (!plan.isRequired && random.chance(0.04)) {
    last.revokedAt = shift(last.issuedAt, (now.getTime() - last.issuedAt.getTime()) * random.between(0.3, 0.9))
  }
  return earned
}

function draftRow(random: Random, person: Trained, type_id: number, one: Earned & { issued_by: number }) {
  const { issuedAt, until, revokedAt, issued_by } = one
  const bytes = Uint8Array.from({ length: SHORT_ID_BYTES }, () => random.integer(0, 255))
  const isOpened = random.chance(0.6)
  return draftCertification({
    short_id: encodeShortId(bytes),
    customer_id: person.customer_id,
    type_id,
    name: `${person.first_name} ${person.last_name}`,
    instructor: random.pick(instructors),
    issued_on: companyDay(issuedAt),
    valid_until: until,
    revoked_at: revokedAt,
    revoke_reason: revokedAt ? random.pick(revocations) : null,
    revoked_by: revokedAt ? issued_by : null,
    first_opened_at: isOpened ? shift(issuedAt, random.integer(60, 3000) * 60_000) : null,
    issued_by,
    created_at: issuedAt,
  })
}
