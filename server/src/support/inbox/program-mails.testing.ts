import { CRLF, type MadeMail, multi, one, part, typed } from './made-mails.testing.ts'

// Emails as common programs, providers and mail servers write them. All names and texts are made up.

const text = (name: string, body: string, expected: MadeMail['expected'], headers: string[] = []) =>
  one(name, { headers, body: body.split('\n').join(CRLF) }, expected)

/** Programs that answer by themselves. */
const robots = [
  text('Outlook: automatic reply', 'I am out of the office.', { kind: 'auto_reply', mayConfirm: false }, [
    'Auto-Submitted: auto-generated',
    'X-Auto-Response-Suppress: All',
    'X-MS-Exchange-Inbox-Rules-Loop: ana@example.com',
  ]),
  text('Gmail: vacation responder', 'Back on Monday.', { kind: 'auto_reply', mayConfirm: false }, [
    'Auto-Submitted: auto-replied',
    'Precedence: bulk',
    'X-Autoreply: yes',
  ]),
  text('cPanel: auto-responder', 'Thank you for your email.', { kind: 'auto_reply' }, [
    'Auto-Submitted: auto-replied',
    'X-Autorespond: Hi',
    'X-Loop: ana@example.com',
    'Precedence: auto_reply',
  ]),
  text('Exchange: only a wish for no answers', 'Hello', { kind: 'message', mayConfirm: false }, [
    'X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply',
  ]),
  text('a help desk', 'We got your request.', { kind: 'auto_reply' }, [
    'Auto-Submitted: auto-generated',
    'X-Mailer: Desk',
  ]),
  text('X-Mail-Autoreply', 'Away', { kind: 'auto_reply' }, ['X-Mail-Autoreply: 1']),
  text('X-Autoreply-From', 'Away', { kind: 'auto_reply' }, ['X-Autoreply-From: ana@example.com']),
  text('a monitoring program', 'Disk full', { kind: 'auto_reply' }, ['Auto-Submitted: auto-generated (failure)']),
  one(
    'a read receipt of Outlook',
    {
      ...multi('report', [
        part('text/plain', 'Your message was read on Tuesday.'),
        part(
          'message/disposition-notification',
          `Final-Recipient: rfc822;ana@example.com${CRLF}Disposition: manual-action/MDN-sent-manually; displayed`,
        ),
      ]),
      headers: ['Content-Type: multipart/report; report-type=disposition-notification; boundary="bound"'],
    },
    { kind: 'auto_reply', content: 'Your message was read on Tuesday.', mayConfirm: false },
  ),
  one(
    'a complaint of a provider',
    {
      ...multi('report', [
        part('text/plain', 'This is an email abuse report.'),
        part('message/feedback-report', `Feedback-Type: abuse${CRLF}Version: 1`),
        part('message/rfc822', `From: help@example.com${CRLF}Subject: Hi${CRLF}${CRLF}Hello`),
      ]),
      headers: ['Content-Type: multipart/report; report-type="feedback-report"; boundary="bound"'],
    },
    { kind: 'auto_reply', content: 'This is an email abuse report.', mayConfirm: false },
  ),
]

const returned = `From: help@example.com${CRLF}Subject: Re: [#12] Hi${CRLF}Message-ID: <b3VycwA@limber>${CRLF}${CRLF}Our text`
const report = (
  name: string,
  from: string,
  parts: readonly string[],
  expected: MadeMail['expected'],
  headers: string[] = [],
) => {
  const { body } = multi('report', parts)
  const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary="bound"'
  return one(
    name,
    { from, body, headers: ['Return-Path: <>', ...headers, type] },
    { kind: 'bounce', mayConfirm: false, ...expected },
  )
}
const status = (action: string, code: string) =>
  `Reporting-MTA: dns; mx.example.net${CRLF}Arrival-Date: Tue, 17 Nov 2026 09:56:00 -0800${CRLF}${CRLF}Final-Recipient: rfc822; ana@example.net${CRLF}Action: ${action}${CRLF}Status: ${code}${CRLF}Diagnostic-Code: smtp; 550 ${code} no`
const daemon = 'Mail Delivery System <MAILER-DAEMON@mx.example.net>'
const permanent = { bounce: { messageId: '<b3VycwA@limber>', isPermanent: true } }
const temporary = { bounce: { messageId: '<b3VycwA@limber>', isPermanent: false } }
const bounces = [
  report(
    'Postfix: user unknown',
    daemon,
    [
      part('text/plain; charset=us-ascii', 'I am sorry to have to inform you', 'Content-Description: Notification'),
      part('message/delivery-status', status('failed', '5.1.1'), 'Content-Description: Delivery report'),
      part('message/rfc822', returned, 'Content-Description: Undelivered Message'),
    ],
    { content: 'I am sorry to have to inform you', ...permanent },
  ),
  report(
    'Postfix: headers only',
    daemon,
    [
      part('text/plain', 'Returned'),
      part('message/delivery-status', status('failed', '5.4.4')),
      part('text/rfc822-headers', returned.split(`${CRLF}${CRLF}`)[0] ?? ''),
    ],
    permanent,
  ),
  report(
    'Exchange: not found',
    'postmaster@example.onmicrosoft.com',
    [
      part('text/html; charset=utf-8', '<p>Your message could not be delivered.</p>'),
      part('message/delivery-status', status('failed', '5.1.10')),
      part('message/rfc822', returned),
    ],
    { content: 'Your message could not be delivered.', ...permanent },
    ['Auto-Submitted: auto-replied', 'X-MS-Exchange-Message-Is-Ndr:'],
  ),
  report(
    'Gmail: address not found',
    'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    [
      `Content-Type: multipart/related; boundary="in"${CRLF}${CRLF}--in${CRLF}${part('text/plain', 'Address not found')}${CRLF}--in--`,
      part('message/delivery-status', status('failed', '5.1.1')),
      part('message/rfc822', returned),
    ],
    { content: 'Address not found', ...permanent },
    ['X-Failed-Recipients: ana@example.net', 'Auto-Submitted: auto-replied'],
  ),
  report(
    'a delay',
    daemon,
    [
      part('text/plain', 'Not delivered yet'),
      part('message/delivery-status', status('delayed', '4.4.1')),
      part('text/rfc822-headers', returned.split(`${CRLF}${CRLF}`)[0] ?? ''),
    ],
    temporary,
  ),
  report(
    'a full mailbox',
    daemon,
    [
      part('text/plain', 'Over quota'),
      part('message/delivery-status', status('failed', '5.2.2')),
      part('message/rfc822', returned),
    ],
    temporary,
  ),
  report(
    'a delivery that worked',
    daemon,
    [
      part('text/plain', 'Delivered'),
      part('message/delivery-status', status('delivered', '2.0.0')),
      part('message/rfc822', returned),
    ],
    temporary,
  ),
  report(
    'without our email',
    daemon,
    [part('text/plain', 'Lost'), part('message/delivery-status', status('failed', '5.1.1'))],
    { bounce: { messageId: undefined, isPermanent: true } },
  ),
  report(
    'a message in UTF-8 (message/global)',
    daemon,
    [
      part('text/plain', 'Returned'),
      part('message/global-delivery-status', status('failed', '5.1.1')),
      part('message/global', returned),
    ],
    permanent,
  ),
  text(
    'Exim: as text',
    `This message was created automatically.\n\n  ana@example.net\n    550 5.1.1 unknown user\n\n------ This is a copy of the message ------\n\nMessage-ID: <b3VycwA@limber>\nSubject: Re: [#12] Hi\n\nOur text`,
    { kind: 'bounce', ...permanent },
    ['Return-Path: <>', 'X-Failed-Recipients: ana@example.net', 'Auto-Submitted: auto-replied'],
  ),
  one(
    'qmail: as text',
    {
      from: 'MAILER-DAEMON@mx.example.net',
      headers: ['Return-Path: <>'],
      body: `Hi. This is the qmail-send program.${CRLF}<ana@example.net>:${CRLF}Remote host said: 550 5.1.1 no mailbox${CRLF}--- Below this line is a copy of the message.${CRLF}${CRLF}Message-ID: <b3VycwA@limber>${CRLF}${CRLF}Our text`,
    },
    { kind: 'bounce', ...permanent },
  ),
  one(
    'text of a busy server',
    {
      from: 'MAILER-DAEMON@mx.example.net',
      headers: ['Return-Path: <>'],
      body: `It was deferred: 451 4.7.1 try later${CRLF}${CRLF}Message-ID: <b3VycwA@limber>${CRLF}${CRLF}Our text`,
    },
    { kind: 'bounce', ...temporary },
  ),
]

const lists = [
  text('Mailman', 'News', { kind: 'message', mayConfirm: false }, [
    'List-Id: Runners <runners.example.org>',
    'Precedence: list',
    'X-BeenThere: runners@example.org',
  ]),
  text('Google Groups', 'News', { kind: 'message', mayConfirm: false }, [
    'List-ID: <g.example.com>',
    'List-Post: <https://groups.example.com>',
    'Mailing-list: list g@example.com',
  ]),
  text('a newsletter', 'Sale', { kind: 'message', mayConfirm: false }, [
    'List-Unsubscribe: <https://example.com/u>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Feedback-ID: 1:2:3',
  ]),
  text('a shop that wants no answer', 'Shipped', { from: 'no_reply@shop.example.com', mayConfirm: false }, []),
].map((mail) =>
  mail.name.startsWith('a shop')
    ? { ...mail, raw: Buffer.from(mail.raw.toString().replace('Ana <ana@example.com>', 'no_reply@shop.example.com')) }
    : mail,
)

const ics = (method: string) =>
  `BEGIN:VCALENDAR${CRLF}METHOD:${method}${CRLF}BEGIN:VEVENT${CRLF}SUMMARY:Stretch${CRLF}END:VEVENT${CRLF}END:VCALENDAR`
const calendar = (
  [
    ['Google', 'REQUEST', 'Invitation: Stretch'],
    ['Outlook', 'REQUEST', 'Let us meet'],
    ['an acceptance', 'REPLY', 'Ana has accepted'],
    ['a cancellation', 'CANCEL', 'Canceled: Stretch'],
  ] as const
).map(([name, method, content]) =>
  one(
    `a calendar invite: ${name}`,
    multi('mixed', [
      `Content-Type: multipart/alternative; boundary="in"${CRLF}${CRLF}--in${CRLF}${part('text/plain', content)}${CRLF}--in${CRLF}${part('text/html', `<b>${content}</b>`)}${CRLF}--in${CRLF}${part(`text/calendar; charset=utf-8; method=${method}`, ics(method))}${CRLF}--in--`,
      part('application/ics; name="invite.ics"', ics(method), 'Content-Disposition: attachment; filename="invite.ics"'),
    ]),
    { kind: 'message', content, hasText: true },
  ),
)
const calendarOnly = one(
  'a calendar invite without a text',
  typed('text/calendar; method=REQUEST; charset=utf-8', '8bit', ics('REQUEST')),
  { kind: 'message', from: 'ana@example.com' },
)

/** What programs, mail servers and lists write. */
export const programMails: readonly MadeMail[] = [...robots, ...bounces, ...lists, ...calendar, calendarOnly]
