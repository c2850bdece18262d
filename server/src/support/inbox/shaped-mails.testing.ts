import { bytes, CRLF, type MadeMail, multi, one, part, typed } from './made-mails.testing.ts'

// Emails as common programs, providers and mail servers write them. All names and texts are made up.

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
    'a\nX-Evil: 1.pdf',
  ),
]

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

/** HTML, pictures, file names, and emails that break the rules. */
export const shapedMails: readonly MadeMail[] = [...htmlOnly, ...images, ...names, ...hell]
