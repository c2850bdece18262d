import { countedFigures, exportFigureRows, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { exportPartners, exportPastSessions, exportUpcomingSessions } from '@limber/contract/growth/partners/partner.ts'
import { exportReferrals } from '@limber/contract/growth/referrals/referral.ts'
import { exportTasks } from '@limber/contract/growth/tasks/task.ts'
import { exportLeaderboard, exportTeam } from '@limber/contract/growth/team/team.ts'
import { containing } from '#platform/db/like.ts'
import { exporting, listed, NO_COLUMN, walkAfter } from '#platform/exports/export.ts'
import { figureColumns, figureFile } from '#platform/figures/figure.queries.ts'
import { ensureFigures } from './figures/current.ts'
import { describeFigureRows, type FigureRecord, findFigureIds } from './figures/figure-rows.queries.ts'
import { presentFigureRow } from './overview/figure.present.ts'
import { scopeOf } from './overview/figure.routes.ts'
import { presentReferral } from './referrals/referral.present.ts'
import { findReferralsAfter } from './referrals/referral.queries.ts'

const sessionColumns = {
  id: 'ID',
  businessId: 'Business ID',
  business: 'Business',
  date: 'Date',
  time: 'Time',
  location: 'Location',
  slotLength: 'Slot minutes',
  contact: 'Contact',
  contactEmail: 'Contact email',
  assignedStretcher: 'Stretcher',
  participants: [
    ['Participants', (people: readonly unknown[]) => people.length],
    ['Names', (people: readonly { name: string }[]) => listed(people.map(({ name }) => name))],
  ],
} as const

export const growthExports = [
  exporting(exportTasks, {
    rows: ({ tasks }) => tasks,
    columns: {
      id: 'ID',
      title: 'Title',
      details: 'Details',
      due: 'Due',
      priority: 'Priority',
      type: NO_COLUMN,
      status: 'Status',
      cityName: 'City',
      assignedTo: 'Assignee',
      assigneeId: 'Assignee ID',
      createdBy: 'Created by',
      createdAt: 'Created',
      doneAt: 'Done',
      figures: [
        ['Users', (figures) => figures?.users],
        ['Active users', (figures) => figures?.activeUsers],
        ['Sessions', (figures) => figures?.sessions],
        ['Revenue', (figures) => figures?.revenue],
      ],
      marks: NO_COLUMN,
      version: NO_COLUMN,
    },
  }),
  exporting(exportFigureRows, {
    rows: ({ rows }) => rows,
    async *batches({ params: { figure }, query, db, services }, limit) {
      const scope = await scopeOf(listFigureRows, db, { ...query, figure }, await ensureFigures(services))
      const all = await findFigureIds(db, figure, scope)
      const words = query.search.toLowerCase()
      const isFound = ({ name, detail, place }: FigureRecord) =>
        [name, detail, place]
          .filter((part) => part !== null)
          .join(' ')
          .toLowerCase()
          .includes(words)
      for (let done = 0; done < all.length; done += limit) {
        const rows = await describeFigureRows(db, figure, scope, all.slice(done, done + limit))
        yield rows.filter(isFound).map(presentFigureRow)
      }
    },
    file: ({ params: { figure } }) => figureFile(countedFigures[figure]),
    columns: figureColumns,
  }),
  exporting(exportReferrals, {
    rows: ({ referrals }) => referrals,
    async *batches({ query: { search, kind, state, review }, db, services }, limit) {
      await ensureFigures(services)
      const filter = { pattern: search === '' ? undefined : containing(search), kind, state, review }
      for await (const rows of walkAfter<Awaited<ReturnType<typeof findReferralsAfter>>[number]>(limit, (last) =>
        findReferralsAfter(db, filter, last, limit),
      ))
        yield rows.map(presentReferral)
    },
    columns: {
      userId: 'Customer ID',
      name: 'Name',
      email: 'Email',
      joinedAt: 'Joined',
      kind: 'Referred by',
      referrer: [
        ['Referrer ID', ({ id }) => id],
        ['Referrer', ({ name }) => name],
      ],
      state: 'State',
      bookedAt: 'First booking',
      convertedAt: 'Converted',
      earnings: 'Earnings',
      reasons: [['Warnings', listed]],
      review: [
        ['Decision', (review) => review?.decision],
        ['Reason', (review) => review?.reason],
        ['Reviewed by', (review) => review?.by],
        ['Reviewed', (review) => review?.at],
      ],
    },
  }),
  exporting(exportTeam, {
    rows: ({ team }) => team,
    columns: {
      id: 'ID',
      name: 'Name',
      role: 'Role',
      isPending: 'Invited',
      online: 'Online',
      lastActive: 'Last active',
      city: 'City',
      campaigns: [['Campaigns', (campaigns) => listed(campaigns.map(({ name }) => name))]],
      leadsContacted: 'Leads contacted',
      leadsConverted: 'Leads converted',
    },
  }),
  exporting(exportLeaderboard, {
    rows: ({ leaderboard }) => leaderboard,
    columns: {
      id: 'ID',
      name: 'Name',
      leadsContacted: 'Leads contacted',
      leadsConverted: 'Leads converted',
      topChannel: 'Top channel',
    },
  }),
  exporting(exportPartners, {
    rows: ({ businesses }) => businesses,
    columns: {
      id: 'ID',
      name: 'Name',
      kind: 'Kind',
      status: 'Status',
      repName: 'Representative',
      repEmail: 'Representative email',
      emailList: NO_COLUMN,
      emailListSize: 'Allowed emails',
      timesContacted: 'Times contacted',
      lastContact: 'Last contact',
      activeUsers: 'Active users',
      onSiteSessions: 'On-site sessions',
      totalUserSessions: 'User sessions',
      totalRevenue: 'Revenue',
      avgRating: 'Average rating',
      renewalDate: 'Renewal date',
      pilotEndsOn: 'Pilot ends on',
      endedReason: 'Reason for ending',
      version: NO_COLUMN,
    },
  }),
  exporting(exportUpcomingSessions, { rows: ({ sessions }) => sessions, columns: sessionColumns }),
  exporting(exportPastSessions, { rows: ({ sessions }) => sessions, columns: sessionColumns }),
]
