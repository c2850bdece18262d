import { CRLF, type MadeMail, one } from './made-mails.testing.ts'

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

/** Answers with the history that programs repeat. */
export const answerMails: readonly MadeMail[] = [...answered, ...outlook, ...outlookOther, ...yahoo]
