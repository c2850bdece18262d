import { makeWorker, type WorkerDraft } from '@limber/server/access/workers/worker.factory.ts'
import { seedApiKeys } from '../access/api-keys.ts'
import { seedWebhooks } from '../access/webhooks.ts'
import { seedStaffSessions } from '../people/staff-sessions.ts'
import type { Seeder } from '../seeder.ts'

interface StaffMember extends WorkerDraft {
  name: string
  role: string
  /** Days since the first day of work. */
  since: number
}

const staffMembers: readonly StaffMember[] = [
  { name: 'Priya Raman', role: 'Owner', since: 1120 },
  { name: 'Marcus Bell', role: 'Operations', since: 1010 },
  { name: 'Yesenia Cordova', role: 'Operations', since: 388 },
  { name: 'Dana Whitfield', role: 'Support Lead', since: 902 },
  { name: 'Tomás Villaseñor', role: 'Support Agent', since: 640 },
  { name: 'Aaliyah Brooks', role: 'Support Agent', since: 415 },
  { name: 'Kenji Morales', role: 'Support Agent', since: 171 },
  { name: 'Hannah Lindqvist', role: 'Support Agent', since: 733, status: 'disabled' },
  { name: 'Leticia Fuentes', role: 'Marketing', since: 598 },
  { name: 'Devon Okoye', role: 'Marketing', since: 243 },
  { name: 'Minh Anh Tran', role: 'Growth', since: 520 },
  { name: 'Gabriel Santos', role: 'Growth', since: 134 },
  { name: 'Ruth Abramson', role: 'Finance', since: 866 },
  { name: 'Omar Haddad', role: 'Tech', since: 951 },
  { name: 'Noor Siddiqui', role: 'Tech', since: 3, status: 'invited' },
]

const emailOf = (name: string) =>
  `${name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '.')}@example.com`

/** Workers in every role, one who left, and one who was invited this week. */
export const staff: Seeder = {
  name: 'Staff',
  async seed(context) {
    const { db, calendar } = context
    for (const { since, ...member } of staffMembers) {
      const createdAt = calendar.at(-since, 9 * 60)
      await makeWorker(db, { ...member, email: emailOf(member.name), createdAt })
    }
    await seedStaffSessions(context)
    await seedApiKeys(context)
    await seedWebhooks(context)
  },
}
