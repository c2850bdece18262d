import { bytes, CRLF, type MadeMail, multi, one, part, typed } from './made-mails.testing.ts'

// Emails as common programs, providers and mail servers write them. All names and texts are made up.

const text = (name: string, body: string, expected: MadeMail['expected'], headers: string[] = []) =>
  one(name, { headers, body: body.split('\n').join(CRLF) }, expected)

const ASKED = '> Is the session at nine?\n>\n> Coastline Support'
const BARE = 'Is the session at nine?\n\nCoastline Support'

/** The line above the repeated email, as programs write it in the language of the reader. */
const introductions: readonly [string, string][] = [
  ['Gmail, English', 'On Tue, Nov 17, 2026 at 9:56 AM Coastline Support <help@example.com> wrote:'],
  ['Gmail, wrapped', 'On Tue, Nov 17, 2026 at 9:56 AM Coastline Support <help@example.com>\nwrote:'],
  ['Gmail, German', 'Am Di., 17. Nov. 2026 um 09:56 Uhr schrieb Coastline Support <help@example.com>:'],
  ['Gmail, German, wrapped', 'Am Di., 17. Nov. 2026 um 09:56 Uhr schrieb Coastline Support <\nhelp@example.com>:'],
  ['Gmail, French', 'Le mar. 17 nov. 2026 à 09:56, Coastline Support <help@example.com> a écrit :'],
  ['Gmail, Spanish', 'El mar, 17 nov 2026 a las 9:56, Coastline Support (<help@example.com>) escribió:'],
  ['Gmail, Italian', 'Il giorno mar 17 nov 2026 alle ore 09:56 Coastline Support <help@example.com> ha scritto:'],
  ['Gmail, Portuguese', 'Em ter., 17 de nov. de 2026 às 09:56, Coastline Support <help@example.com> escreveu:'],
  ['Gmail, Dutch', 'Op di 17 nov 2026 om 09:56 schreef Coastline Support <help@example.com>:'],
  ['Gmail, Swedish', 'Den tis 17 nov. 2026 kl 09:56 skrev Coastline Support <help@example.com>:'],
  ['Gmail, Polish', 'wt., 17 lis 2026 o 09:56 Coastline Support <help@example.com> napisał(a):'],
  ['Gmail, Russian', 'вт, 17 нояб. 2026 г. в 09:56, Coastline Support <help@example.com>:'],
  ['Gmail, Japanese', '2026年11月17日(火) 9:56 Coastline Support <help@example.com>:'],
  ['Gmail, Chinese', 'Coastline Support <help@example.com> 于2026年11月17日周二 09:56写道：'],
  ['Apple Mail, English', 'On Nov 17, 2026, at 9:56 AM, Coastline Support <help@example.com> wrote:'],
  ['Apple Mail, French', 'Le 17 nov. 2026 à 09:56, Coastline Support <help@example.com> a écrit :'],
  ['Apple Mail, German', 'Am 17.11.2026 um 09:56 schrieb Coastline Support <help@example.com>:'],
  ['Thunderbird, English', 'On 11/17/26 9:56 AM, Coastline Support wrote:'],
  ['Thunderbird, German', 'Am 17.11.26 um 09:56 schrieb Coastline Support:'],
  ['Yahoo, quoted', 'On Tuesday, November 17, 2026 at 09:56:12 AM PST, Coastline Support <help@example.com> wrote:'],
]
const answered = introductions.flatMap(([name, intro]) => [
  text(`${name}: an answer`, `Yes, at nine.\n\nMaya\n\n${intro}\n\n${ASKED}`, {
    content: 'Yes, at nine.\n\nMaya',
    quoted: `${intro}\n\n${ASKED}`,
  }),
])

/** The headers that Outlook repeats above an email. */
const outlookHeads: readonly [string, string[]][] = [
  ['English', ['From:', 'Sent:', 'To:', 'Subject:']],
  ['German', ['Von:', 'Gesendet:', 'An:', 'Betreff:']],
  ['French', ['De :', 'Envoyé :', 'À :', 'Objet :']],
  ['Spanish', ['De:', 'Enviado:', 'Para:', 'Asunto:']],
  ['Italian', ['Da:', 'Inviato:', 'A:', 'Oggetto:']],
  ['Portuguese', ['De:', 'Enviada em:', 'Para:', 'Assunto:']],
  ['Dutch', ['Van:', 'Verzonden:', 'Aan:', 'Onderwerp:']],
  ['bold', ['*From:*', '*Sent:*', '*To:*', '*Subject:*']],
]
const headOf = ([from, sent, to, subject]: string[]) =>
  [
    `${from} Coastline Support <help@example.com>`,
    `${sent} Tuesday, November 17, 2026 9:56 AM`,
    `${to} Ana <ana@example.com>`,
    `${subject} [#12] Your session`,
  ].join('\n')
const outlook = outlookHeads.flatMap(([name, names]) => [
  text(`Outlook, ${name}: an answer`, `Yes, at nine.\n\n${headOf(names)}\n\n${BARE}`, {
    content: 'Yes, at nine.',
    quoted: `${headOf(names)}\n\n${BARE}`,
  }),
])
const outlookOther = [
  text(
    'Outlook on the web, with a line above',
    `Yes.\n\n${'_'.repeat(32)}\n${headOf(['From:', 'Sent:', 'To:', 'Subject:'])}\n\n${BARE}`,
    {
      content: 'Yes.',
    },
  ),
  text(
    'Outlook on a phone',
    `Yes.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n${'_'.repeat(32)}\n${headOf(['From:', 'Sent:', 'To:', 'Subject:'])}\n\n${BARE}`,
    {
      content: 'Yes.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>',
    },
  ),
  ...(
    [
      ['German', '-----Ursprüngliche Nachricht-----'],
      ['French', "-----Message d'origine-----"],
      ['Spanish', '-----Mensaje original-----'],
      ['Italian', '-----Messaggio originale-----'],
      ['Dutch', '-----Oorspronkelijk bericht-----'],
      ['Portuguese', '-----Mensagem original-----'],
    ] as const
  ).map(([name, line]) =>
    text(`a divider, ${name}`, `Yes.\n\n${line}\n${BARE}`, { content: 'Yes.', quoted: `${line}\n${BARE}` }),
  ),
]

const yahoo = [
  text(
    'Yahoo, not quoted',
    `Yes, at nine.\n\n    On Tuesday, November 17, 2026 at 09:56:12 AM PST, Coastline Support <help@example.com> wrote:  \n\n${BARE}`,
    { content: 'Yes, at nine.' },
  ),
  text(
    'an iPhone',
    `Yes.\n\nSent from my iPhone\n\n> On Nov 17, 2026, at 9:56 AM, Coastline Support <help@example.com> wrote:\n> \n> Is it?`,
    {
      content: 'Yes.\n\nSent from my iPhone',
    },
  ),
  text('an answer below the question', `${introductions[0]?.[1]}\n${ASKED}\n\nYes, at nine.`, {
    content: `${introductions[0]?.[1]}\n${ASKED}\n\nYes, at nine.`,
    quoted: '',
  }),
  text(
    'two rounds of questions',
    `Thanks!\n\n${introductions[0]?.[1]}\n\n> Yes.\n>\n> On Mon, Nov 16, 2026 at 8:00 AM Ana <ana@example.com> wrote:\n>\n>> Is it?`,
    {
      content: 'Thanks!',
    },
  ),
  text(
    'a forwarded email',
    `Please see below.\n\n---------- Forwarded message ---------\nFrom: Shop <shop@example.net>\nDate: Tue, Nov 17, 2026\nSubject: Receipt\nTo: <ana@example.com>\n\nYour receipt`,
    {
      content: 'Please see below.',
    },
  ),
  text('a signature with a phone number', 'Yes.\n\n-- \nAna Okafor\n+1 951 555 0100\nhttps://example.com', {
    content: 'Yes.\n\n-- \nAna Okafor\n+1 951 555 0100\nhttps://example.com',
    quoted: '',
  }),
  text(
    'a signature of a company above a question',
    `Yes.\n\nBest regards,\nAna Okafor | Okafor LLC\nThis email is confidential.\n\n${introductions[0]?.[1]}\n\n${ASKED}`,
    {
      content: 'Yes.\n\nBest regards,\nAna Okafor | Okafor LLC\nThis email is confidential.',
    },
  ),
  text('a time in a sentence that ends with a colon', 'At 9:30 on Nov 17, 2026 I saw this:\nyour app crashed.', {
    content: 'At 9:30 on Nov 17, 2026 I saw this:\nyour app crashed.',
    quoted: '',
  }),
  text(
    'a list of addresses with a colon',
    'Please send copies to Ana <ana@example.com> and Bo <bo@example.com>:\none each.',
    {
      quoted: '',
    },
  ),
]

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

const html = (name: string, source: string, content: string, hasRemote = false): MadeMail => {
  const made = one(
    `HTML only: ${name}`,
    typed('text/html; charset=utf-8', 'quoted-printable', source.replaceAll('=', '=3D')),
    { content, hasText: false },
  )
  return { ...made, expected: { ...made.expected, html: expectHtml(hasRemote) } }
}
const expectHtml = (hasRemote: boolean) => ({ hasRemote }) as unknown as { html: string; hasRemote: boolean }
const htmlOnly = [
  html(
    'Outlook',
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style><!--[if gte mso 9]><xml>x</xml><![endif]--></head><body lang="EN-US"><div class="WordSection1"><p class="MsoNormal">Yes.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">Ana<o:p></o:p></p></div></body></html>',
    'Yes.\n\nAna',
  ),
  html(
    'Gmail',
    '<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, Nov 17, 2026 at 9:56 AM Coastline &lt;<a href="mailto:help@example.com">help@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote">Is it?</blockquote></div>',
    'Yes.',
  ),
  html(
    'Apple Mail',
    '<html><body style="overflow-wrap: break-word;">Yes.<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>On Nov 17, 2026, at 9:56 AM, Coastline &lt;help@example.com&gt; wrote:</div><br><div>Is it?</div></blockquote></div></body></html>',
    'Yes.',
  ),
  html(
    'Yahoo',
    '<div class="ydp1yahoo-style-wrap"><div>Yes.</div></div><div id="ydp2yahoo_quoted" class="yahoo_quoted"><div>On Tuesday, November 17, 2026 at 09:56:12 AM PST, Coastline &lt;help@example.com&gt; wrote:</div><div>Is it?</div></div>',
    'Yes.',
  ),
  html(
    'a newsletter with a tracking pixel',
    '<table><tr><td>Sale</td></tr></table><img src="https://t.example.com/o.gif" width="1" height="1">',
    'Sale',
    true,
  ),
  html('a background from elsewhere', '<div style="background:url(https://t.example.com/b.png)">Hi</div>', 'Hi', true),
  html(
    'a form and a frame',
    '<form action="https://evil.example.com"><input name="p"><button>Go</button></form><iframe src="https://evil.example.com"></iframe>Hi',
    'GoHi',
  ),
  html(
    'a script in many forms',
    '<svg onload="alert(1)"><script>alert(1)</script></svg><a href="java\nscript:alert(1)">x</a>Hi',
    'xHi',
  ),
  html('deep nesting', `${'<div>'.repeat(5_000)}Hi${'</div>'.repeat(5_000)}`, 'Hi'),
  html('emoji and entities', '<p>&#128075; Hi &amp; welcome&nbsp;&mdash; Ana</p>', '👋 Hi & welcome — Ana'),
]

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwMDAAAAJBAEAX8n4sQAAAABJRU5ErkJggg=='
const image = (name: string, ...headers: string[]) =>
  part(`image/png; name="${name}"`, PNG, 'Content-Transfer-Encoding: base64', ...headers)
const files = (...expected: object[]) => expected as unknown as NonNullable<MadeMail['expected']['files']>
const images = [
  one(
    'inline: Outlook',
    multi('related', [
      part('text/html', '<p>See <img src="cid:image001.png@01DB.5E2"></p>'),
      image(
        'image001.png',
        'Content-ID: <image001.png@01DB.5E2>',
        'Content-Disposition: inline; filename="image001.png"',
      ),
    ]),
    { content: 'See', files: files({ filename: 'image001.png', contentId: 'image001.png@01DB.5E2', isInline: true }) },
  ),
  one(
    'inline: Gmail',
    multi('related', [
      `Content-Type: multipart/alternative; boundary="in"${CRLF}${CRLF}--in${CRLF}${part('text/plain', 'See [image: photo.png]')}${CRLF}--in${CRLF}${part('text/html', '<img src="cid:ii_abc">')}${CRLF}--in--`,
      image('photo.png', 'X-Attachment-Id: ii_abc', 'Content-ID: <ii_abc>'),
    ]),
    { content: 'See [image: photo.png]', files: files({ filename: 'photo.png', contentId: 'ii_abc', isInline: true }) },
  ),
  one(
    'inline: Apple Mail, between texts',
    multi('mixed', [
      part('text/plain', 'Before'),
      image('IMG_1.png', 'Content-Disposition: inline; filename=IMG_1.png'),
      part('text/plain', 'After'),
    ]),
    { content: 'Before\n\nAfter', files: files({ filename: 'IMG_1.png', isInline: false }) },
  ),
  one(
    'inline: a Content-ID that nothing names',
    multi('mixed', [
      part('text/plain', 'Hi'),
      image('a.png', 'Content-ID: <x@y>', 'Content-Disposition: attachment; filename=a.png'),
    ]),
    { content: 'Hi', files: files({ filename: 'a.png', contentId: 'x@y', isInline: false }) },
  ),
  one(
    'a picture and nothing else',
    { headers: ['Content-Type: image/png; name=a.png', 'Content-Transfer-Encoding: base64'], body: PNG },
    { content: '', files: files({ filename: 'a.png' }) },
  ),
]

const attached = (name: string, headers: string[], filename: unknown, type = 'application/pdf') =>
  one(
    `a file name: ${name}`,
    multi('mixed', [part('text/plain', 'Hi'), part(type, 'JVBERi0=', 'Content-Transfer-Encoding: base64', ...headers)]),
    { content: 'Hi', files: files({ filename }) },
  )
const names = [
  attached(
    'RFC 2231',
    ["Content-Disposition: attachment; filename*=utf-8''Stra%C3%9Fe%20%E2%82%AC.pdf"],
    'Straße €.pdf',
  ),
  attached(
    'RFC 2231 in parts',
    ["Content-Disposition: attachment; filename*0*=utf-8''Stra%C3; filename*1*=%9Fe; filename*2=.pdf"],
    'Straße.pdf',
  ),
  attached(
    'an encoded word',
    ['Content-Disposition: attachment; filename="=?utf-8?B?U3RyYcOfZS5wZGY=?="'],
    'Straße.pdf',
  ),
  attached('only in the type', [], 'bill.pdf', 'application/pdf; name="bill.pdf"'),
  attached('none', ['Content-Disposition: attachment'], 'file-1'),
  attached(
    'a line break',
    ['Content-Disposition: attachment; filename="=?utf-8?Q?a=0D=0AX-Evil:_1.pdf?="'],
    expectString(),
  ),
]
function expectString() {
  return 'a\nX-Evil: 1.pdf'
}

const zipBomb = Buffer.concat([
  Buffer.from('504b0304140000000800', 'hex'),
  Buffer.alloc(42_374, 0x41),
  Buffer.from('504b0506000000000100010000000000000000000000', 'hex'),
])
const hell = [
  one('a boundary with odd characters', multi('mixed', [part('text/plain', 'Hello')], "'()+_,-./:=?"), {
    content: 'Hello',
  }),
  one(
    'a boundary that begins another one',
    {
      headers: ['Content-Type: multipart/mixed; boundary="b"'],
      body: `--b${CRLF}Content-Type: multipart/alternative; boundary="bb"${CRLF}${CRLF}--bb${CRLF}${part('text/plain', 'Hello')}${CRLF}--bb--${CRLF}--b--`,
    },
    { content: 'Hello' },
  ),
  one('a boundary of 200 characters', multi('mixed', [part('text/plain', 'Hello')], 'x'.repeat(200)), {
    content: 'Hello',
  }),
  one(
    'a boundary without its last quote',
    {
      headers: ['Content-Type: multipart/mixed; boundary="bound'],
      body: multi('mixed', [part('text/plain', 'Hello')]).body,
    },
    { from: 'ana@example.com' },
  ),
  one('two From headers', { headers: ['From: eve@example.net'] }, { kind: 'message' }),
  one(
    'two Content-Type headers',
    { headers: ['Content-Type: text/plain', 'Content-Type: text/html'], body: 'Hello' },
    { kind: 'message' },
  ),
  one('a header without a colon', { headers: ['This is no header'], body: 'Hello' }, { from: 'ana@example.com' }),
  one(
    'a header that is folded with nothing',
    { headers: ['X-Long: a', ' ', '\tb'], body: 'Hello' },
    { from: 'ana@example.com' },
  ),
  one(
    'a charset in half a quote',
    { headers: ['Content-Type: text/plain; charset="utf-8'], body: 'Grüße' },
    { content: 'Grüße' },
  ),
  one('ISO-2022-JP', typed('text/plain; charset=ISO-2022-JP', '7bit', Buffer.from('1b24424c4c43651b2842', 'hex')), {
    content: '面着',
  }),
  one('a byte order mark', typed('text/plain; charset=utf-8', '8bit', '\ufeffHello'), { kind: 'message' }),
  one('lines that flow', typed('text/plain; charset=utf-8; format=flowed', '7bit', `A long \r\nline.\r\nNext`), {
    content: 'A long line.\nNext',
  }),
  one('base64 without its end', typed('text/plain', 'base64', 'SGVsbG8'), { content: 'Hello' }),
  one('base64 one character a line', typed('text/plain', 'base64', [...'SGVsbG8='].join(CRLF)), { content: 'Hello' }),
  one('base64 in upper case', typed('text/plain', 'BASE64', 'SGVsbG8='), { content: 'Hello' }),
  one('a subject in raw UTF-8', { subject: 'Grüße ✓' }, { subject: 'Grüße ✓' }),
  one('a subject whose characters are split', { subject: '=?utf-8?B?w4M=?= =?utf-8?B?w7w=?=' }, { subject: 'Ãü' }),
  one('a subject that turns text around', { subject: 'Invoice \u202Efdp.exe' }, { kind: 'message' }),
  one('a subject of an unknown charset', { subject: '=?klingon?Q?Hi?=' }, { kind: 'message' }),
  one('a sender with a comment', { from: 'ana@example.com (Ana Okafor)' }, { from: 'ana@example.com' }),
  one('a sender in raw UTF-8', { from: 'Zoë Müller <zoe@example.com>' }, { from: 'zoe@example.com' }),
  one('two senders', { from: 'Ana <ana@example.com>, Bo <bo@example.com>' }, { from: 'ana@example.com' }),
  one('another address for answers', { headers: ['Reply-To: other@example.net'] }, { from: 'ana@example.com' }),
  one(
    'a sender with angle brackets in the name',
    { from: '"Boss <boss@example.com>" <eve@example.net>' },
    { from: 'eve@example.net' },
  ),
  one('a sender with two addresses in brackets', { from: '<boss@example.com> <eve@example.net>' }, { kind: 'message' }),
  one(
    'an injected header in the name',
    { from: '"Ana\\" <x>\r\nBcc: all@example.com" <ana@example.com>' },
    { kind: 'message' },
  ),
  one(
    'a signed email (PGP)',
    {
      headers: ['Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary="bound"'],
      body: multi('signed', [
        part('text/plain', 'Hello'),
        part('application/pgp-signature; name=signature.asc', '-----BEGIN PGP SIGNATURE-----'),
      ]).body,
    },
    { content: 'Hello', files: files({ filename: 'signature.asc' }) },
  ),
  one(
    'a signed email (S/MIME)',
    {
      headers: ['Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary="bound"'],
      body: multi('signed', [
        part('text/plain', 'Hello'),
        part('application/pkcs7-signature; name=smime.p7s', 'MII', 'Content-Transfer-Encoding: base64'),
      ]).body,
    },
    { content: 'Hello', files: files({ filename: 'smime.p7s' }) },
  ),
  one(
    'an encrypted email',
    {
      headers: ['Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="bound"'],
      body: multi('encrypted', [
        part('application/pgp-encrypted', 'Version: 1'),
        part('application/octet-stream; name=encrypted.asc', '-----BEGIN PGP MESSAGE-----'),
      ]).body,
    },
    { content: '', kind: 'message' },
  ),
  one(
    '30 emails in each other',
    {
      headers: ['Content-Type: message/rfc822'],
      body: `${`From: a@x${CRLF}Content-Type: message/rfc822${CRLF}${CRLF}`.repeat(30)}Subject: In${CRLF}${CRLF}Hello`,
    },
    { from: 'ana@example.com' },
  ),
  one(
    'a zip of 42 KB that grows to petabytes',
    multi('mixed', [
      part('text/plain', 'Open it'),
      part(
        'application/zip; name=42.zip',
        zipBomb.toString('base64'),
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename=42.zip',
      ),
    ]),
    { content: 'Open it', files: files({ filename: '42.zip' }) },
  ),
  one(
    'TNEF with nothing else',
    {
      headers: [
        'Content-Type: application/ms-tnef; name="winmail.dat"',
        'Content-Transfer-Encoding: base64',
        'X-MS-TNEF-Correlator: <x>',
      ],
      body: Buffer.from('789f3e2201000690080004000000', 'hex').toString('base64'),
    },
    { content: '', files: files({ filename: 'winmail.dat' }) },
  ),
  one(
    'parts of one byte, 3,000 of them',
    multi(
      'mixed',
      Array.from({ length: 3_000 }, () => part('text/plain', 'x')),
    ),
    { kind: 'message' },
  ),
  one('an uuencoded file in the text', { body: `begin 644 a.txt${CRLF}#0V%T${CRLF}\`${CRLF}end` }, { kind: 'message' }),
  one('a text of spaces', { body: ' '.repeat(100_000) }, { content: '' }),
  one('NUL in the headers', { headers: ['X-A: \0\0', 'In-Reply-To: <a\0@x>'] }, { kind: 'message' }),
  one('carriage returns alone', { lineBreak: '\r', body: 'Hello\rthere' }, {}),
  {
    name: 'an mbox line first',
    raw: bytes(
      `From ana@example.com Tue Nov 17 09:56:00 2026${CRLF}From: ana@example.com${CRLF}Subject: Hi${CRLF}${CRLF}Hello`,
    ),
    expected: { kind: 'message' },
  },
] satisfies MadeMail[]

export const realMails: readonly MadeMail[] = [
  ...answered,
  ...outlook,
  ...outlookOther,
  ...yahoo,
  ...robots,
  ...bounces,
  ...lists,
  ...calendar,
  calendarOnly,
  ...htmlOnly,
  ...images,
  ...names,
  ...hell,
]
