import { labelsOf } from '@limber/contract/kit/fields.ts'
import { contactFields } from '@limber/contract/support/customers/account.ts'
import { exportUsers } from '@limber/contract/support/customers/customer.ts'
import { exportUserBookings, exportUserTransactions } from '@limber/contract/support/customers/user.ts'
import { exportEmailLogs } from '@limber/contract/support/email-log/email-log.ts'
import { exportNotifications } from '@limber/contract/support/notifications/notification.ts'
import { exportSupportReport } from '@limber/contract/support/report/report.ts'
import { exportSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { exportSuggestions } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { exportMessages } from '@limber/contract/support/texts/message.ts'
import { exportTickets } from '@limber/contract/support/tickets/ticket.ts'
import { exporting, listed, NO_COLUMN, walkAfter } from '#platform/exports/export.ts'
import { presentCustomer } from './customers/customer.present.ts'
import { type CustomerRow, findCustomersAfter, type KeyedRow } from './customers/customer.queries.ts'
import { customersOf } from './customers/customer.routes.ts'
import { presentEmailLog } from './email-log/email-log.present.ts'
import { type EmailLogRow, findEmailLogsBefore } from './email-log/email-log.queries.ts'
import { emailsOf } from './email-log/email-log.routes.ts'
import { presentTicket } from './tickets/ticket.present.ts'
import { findTickets, findTicketsBefore, type TicketRow } from './tickets/ticket.queries.ts'
import { ticketsOf } from './tickets/ticket.routes.ts'

const contact = labelsOf(contactFields)

export const supportExports = [
  exporting(exportUsers, {
    rows: ({ users }) => users,
    async *batches({ query, db, now }, limit) {
      const filter = customersOf(query, now)
      for await (const rows of walkAfter<KeyedRow<CustomerRow>>(limit, (last) =>
        findCustomersAfter(db, filter, last, limit),
      ))
        yield rows.map((row) => presentCustomer(row, now))
    },
    columns: {
      id: 'ID',
      name: 'Name',
      email: contact.email,
      phone: contact.phone,
      verified: 'Email verified',
      rank: 'Rank',
      points: 'Points',
      status: 'Status',
      ended: 'Merged or erased',
      joinedAt: 'Joined',
    },
  }),
  exporting(exportUserTransactions, {
    rows: (transactions) => transactions,
    columns: {
      id: 'ID',
      createdAt: 'Time',
      transactionType: 'Type',
      amount: 'Amount',
      credits: 'Credits',
      status: 'Status',
    },
  }),
  exporting(exportUserBookings, {
    rows: (bookings) => bookings,
    columns: {
      id: 'ID',
      date: 'Date',
      startTime: 'Start',
      endTime: 'End',
      status: 'Status',
      stretcher: 'Stretcher',
      stretcherId: 'Stretcher ID',
      zone: 'Zone',
      Rating: [
        ['Rating', (rating) => rating?.rating],
        ['Attributes', (rating) => rating && listed(rating.attributes)],
      ],
      Feedback: [
        ['Feedback', (feedback) => feedback?.message_text],
        ['Feedback time', (feedback) => feedback?.message_date],
      ],
    },
  }),
  exporting(exportTickets, {
    rows: (tickets) => tickets,
    async *batches({ query, db, worker }, limit) {
      const filter = ticketsOf(query, worker.workerId)
      // A search finds a limited number of tickets, the most recent ones.
      const find = (last: TicketRow | undefined, page: number) =>
        filter.pattern === undefined
          ? findTicketsBefore(db, filter, last?.id, limit)
          : findTickets(db, filter, limit, page * limit)
      let page = 0
      for await (const rows of walkAfter<TicketRow>(limit, (last) => find(last, page++))) yield rows.map(presentTicket)
    },
    columns: {
      id: 'ID',
      status: 'Status',
      subject: 'Subject',
      customer_email: 'Customer email',
      createdAt: 'Created',
      updatedAt: 'Changed',
      priority: 'Priority',
      customer: [
        ['Customer ID', (customer) => customer?.id],
        ['Customer', (customer) => customer?.name],
      ],
      assignee: [
        ['Assignee ID', (worker) => worker?.id],
        ['Assignee', (worker) => worker?.name],
      ],
      waitingSince: 'Waiting since',
      kind: 'Kind',
      tags: [['Tags', (tags) => listed(tags.map(({ name }) => name))]],
      snoozed: [['Snoozed until', (snoozed) => snoozed && (snoozed.until ?? 'reply')]],
      promise: [
        ['Response due', (promise) => promise?.dueAt],
        ['Response state', (promise) => promise?.state],
      ],
      version: NO_COLUMN,
      messageCount: 'Messages',
      messages: [['Newest message', (messages) => messages.at(-1)?.content]],
    },
  }),
  exporting(exportSupportReport, {
    rows: ({ rows }) => rows,
    columns: {
      key: NO_COLUMN,
      label: 'Group',
      from: 'From',
      to: 'To',
      opened: 'Opened',
      replied: 'First responses',
      closed: 'Closed',
      kept: 'Promises kept',
      missed: 'Promises missed',
      good: 'Rated good',
      bad: 'Rated bad',
      firstReply: [
        ['First response, median (min)', (times) => times?.median],
        ['First response, 90% within (min)', (times) => times?.p90],
      ],
      resolution: [
        ['Resolution, median (min)', (times) => times?.median],
        ['Resolution, 90% within (min)', (times) => times?.p90],
      ],
    },
  }),
  exporting(exportSavedReplies, {
    rows: (replies) => replies,
    columns: {
      id: 'ID',
      name: 'Name',
      content: 'Content',
      actions: [['Actions', (actions) => listed(actions.map(({ type }) => type))]],
      uses: 'Uses',
      changedAt: 'Changed',
      changedBy: 'Changed by',
      version: NO_COLUMN,
    },
  }),
  exporting(exportSuggestions, {
    rows: ({ data }) => data,
    columns: {
      id: 'ID',
      title: 'Title',
      content: 'Content',
      target_section: 'Section',
      target_location: 'Location',
      priority: 'Priority',
      status: 'Status',
      createdAt: 'Created',
      createdBy: 'Created by',
      ticketId: 'Ticket ID',
      publishedUrl: 'Published at',
      review: [
        ['Reviewed', (review) => review?.at],
        ['Reviewed by', (review) => review?.by],
        ['Reason', (review) => review?.reason],
      ],
      version: NO_COLUMN,
    },
  }),
  exporting(exportEmailLogs, {
    rows: ({ data }) => data,
    async *batches({ query, db, services }, limit) {
      const filter = emailsOf(query, services.keyring)
      for await (const rows of walkAfter<EmailLogRow>(limit, (last) =>
        findEmailLogsBefore(db, filter, last?.id, limit),
      ))
        yield rows.map(presentEmailLog)
    },
    columns: {
      id: 'ID',
      from_address: 'From',
      // Recipients and contents are encrypted. Opening one takes a passkey and a reason.
      to_address: NO_COLUMN,
      subject: 'Subject',
      type: 'Type',
      html_content: NO_COLUMN,
      iv_html_content: NO_COLUMN,
      createdAt: 'Time',
      delivery: 'Delivery',
    },
  }),
  exporting(exportMessages, {
    rows: ({ messages }) => messages,
    next: ({ nextPageToken }) => nextPageToken,
    cursor: 'pageToken',
    columns: {
      id: 'ID',
      sid: 'Twilio ID',
      from: 'From',
      to: 'To',
      body: 'Text',
      media: 'Attachments',
      dateSent: 'Time',
      isOutgoing: 'Outgoing',
      state: 'State',
      error: 'Error',
      customer: [
        ['Customer ID', (customer) => customer?.id],
        ['Customer', (customer) => customer?.name],
      ],
    },
  }),
  exporting(exportNotifications, {
    rows: ({ data }) => data,
    columns: {
      id: 'ID',
      title: 'Title',
      body: 'Text',
      audience: NO_COLUMN,
      audienceText: 'Audience',
      channel: 'Channel',
      status: 'Status',
      sendAt: 'Send at',
      createdAt: 'Created',
      createdBy: 'Created by',
      endedAt: 'Ended',
      stoppedBy: 'Stopped by',
      counts: [
        ['People', ({ people }) => people],
        ['Waiting', ({ waiting }) => waiting],
        ['Sent', ({ sent }) => sent],
        ['Delivered', ({ delivered }) => delivered],
        ['Failed', ({ failed }) => failed],
        ['Opted out', ({ optedOut }) => optedOut],
      ],
    },
  }),
]
