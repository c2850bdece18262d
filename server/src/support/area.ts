import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import type { Channels } from '#platform/outbox/outbox.ts'
import { assignmentRoutes } from './assignment/assignment.routes.ts'
import { accountActionRoutes } from './customers/account-action.routes.ts'
import { customerRoutes } from './customers/customer.routes.ts'
import { customerDetailRoutes } from './customers/customer-detail.routes.ts'
import { emailLogRoutes } from './email-log/email-log.routes.ts'
import { supportExports } from './exports.ts'
import { messageHtmlRoutes } from './files/message-html.routes.ts'
import { scannerProbe } from './files/scanner.probe.ts'
import { ticketFileRoutes } from './files/ticket-file.routes.ts'
import { inboundRoutes } from './inbox/inbound.routes.ts'
import { forwardingRoutes } from './mailboxes/forwarding.routes.ts'
import { mailboxRoutes } from './mailboxes/mailbox.routes.ts'
import { startMailboxReader } from './mailboxes/mailbox-reader.ts'
import { makeMailboxSender } from './mailboxes/mailbox-sender.ts'
import { notificationRoutes } from './notifications/notification.routes.ts'
import { unsubscribeRoutes } from './notifications/unsubscribe.routes.ts'
import { promiseRoutes } from './promises/promise.routes.ts'
import { queueRoutes } from './queues/queue.routes.ts'
import { tagRoutes } from './queues/tag.routes.ts'
import { ticketTagHistory } from './queues/tag-history.queries.ts'
import { ticketViewHistory } from './queues/view-history.queries.ts'
import { ratingRoutes } from './ratings/rating.routes.ts'
import { fromTicketRoutes } from './related/from-ticket.routes.ts'
import { relatedRoutes } from './related/related.routes.ts'
import { reportRoutes } from './report/report.routes.ts'
import { macroRoutes } from './saved-replies/macro.routes.ts'
import { savedReplyRoutes } from './saved-replies/saved-reply.routes.ts'
import { savedReplyHistory } from './saved-replies/saved-reply-history.queries.ts'
import { assignmentHistory, promisesHistory } from './settings-history.queries.ts'
import { suggestionRoutes } from './suggestions/kb-suggestion.routes.ts'
import { supportJobs, supportSchedules } from './support.jobs.ts'
import { type BookingPay, bookingSyncRoutes } from './sync/booking-sync.ts'
import { creditFileBatch, creditSyncRoutes, readCreditsForFile } from './sync/credit-sync.ts'
import { customerSyncRoutes, type ZoneLookup } from './sync/customer-sync.ts'
import { rewardSyncRoutes } from './sync/reward-sync.ts'
import { ticketSyncRoutes } from './sync/ticket-sync.ts'
import { transactionSyncRoutes } from './sync/transaction-sync.ts'
import { makeTextDelivery } from './texts/deliver-text.ts'
import { textRoutes } from './texts/text.routes.ts'
import { textHookRoutes } from './texts/text-hooks.routes.ts'
import { noteRoutes } from './tickets/note.routes.ts'
import { ticketRoutes } from './tickets/ticket.routes.ts'
import { ticketHistory } from './tickets/ticket-history.queries.ts'
import { ticketTaskRoutes } from './tickets/ticket-task.routes.ts'
import { accountSources } from './timeline/account.queries.ts'
import { contactSources } from './timeline/contact.queries.ts'
import { customerHistory } from './timeline/customer-history.queries.ts'
import { timelineRoutes } from './timeline/timeline.routes.ts'

/** `others` is a function because the areas with the hooks and timelines are listed next to this one. */
export const supportArea = (others: () => readonly Area[], zones: ZoneLookup, pay: BookingPay): Area => ({
  routes: () =>
    withExports(
      [
        ...customerRoutes,
        ...customerDetailRoutes,
        ...timelineRoutes(() => others().flatMap(({ timeline }) => timeline ?? [])),
        ...customerSyncRoutes(zones, others),
        ...bookingSyncRoutes(pay),
        ...transactionSyncRoutes,
        ...creditSyncRoutes,
        ...rewardSyncRoutes,
        ...ticketSyncRoutes,
        ...noteRoutes,
        ...accountActionRoutes(others()),
        ...ticketRoutes,
        ...ticketFileRoutes,
        ...messageHtmlRoutes,
        ...inboundRoutes,
        ...mailboxRoutes,
        ...forwardingRoutes,
        ...promiseRoutes,
        ...ratingRoutes,
        ...reportRoutes,
        ...queueRoutes,
        ...assignmentRoutes,
        ...tagRoutes,
        ...savedReplyRoutes,
        ...macroRoutes,
        ...relatedRoutes,
        ...fromTicketRoutes,
        ...ticketTaskRoutes,
        ...suggestionRoutes,
        ...emailLogRoutes,
        ...textRoutes,
        ...textHookRoutes,
        ...notificationRoutes,
        ...unsubscribeRoutes,
      ],
      supportExports,
    ),
  fileBatches: new Map([['credits', creditFileBatch]]),
  fileReaders: new Map([['credits', readCreditsForFile]]),
  timeline: [...accountSources, ...contactSources],
  histories: [
    customerHistory,
    ticketHistory,
    savedReplyHistory,
    ticketTagHistory,
    ticketViewHistory,
    promisesHistory,
    assignmentHistory,
  ],
  jobs: supportJobs,
  schedules: supportSchedules,
  probes: [scannerProbe],
  mailSender: makeMailboxSender,
  backgroundLoops: [(services) => startMailboxReader(services)],
  channels: (services): Channels => (services.texts ? { text: makeTextDelivery(services, services.texts) } : {}),
})
