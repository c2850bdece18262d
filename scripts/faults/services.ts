import type { MailServerMode } from '../../server/src/platform/testing/testing.mail.ts'
import type { Mood } from '../../server/src/support/texts/twilio.testing.ts'
import { grant, grantWhile, type HookMode, type Lab, NAMES, until } from './lab.ts'
import { BAD_MODES, type Line } from './line.ts'
import type { FaultRow } from './report.ts'

/** One kind of fault: how it is tried. */
export interface Kind {
  fault: string
  run(lab: Lab, times: number): Promise<FaultRow>
}

/** How long a service stays broken. */
const BROKEN_FOR = 2_000
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

/** Breaks a service while people cause deliveries, and looks at what arrived once it works again. */
async function tryService(
  { fault, times }: { fault: string; times: number },
  breakIt: () => Promise<unknown> | unknown,
  repair: () => Promise<unknown> | unknown,
  cause: (n: number) => Promise<{ seconds: number }>,
  /** How often each of them arrived; a delivery that its receiver can recognize counts once. */
  arrived: () => Promise<number[]> | number[],
  beforeLook: () => Promise<unknown> | unknown = () => {},
): Promise<FaultRow> {
  await breakIt()
  const replies = await Promise.all(Array.from({ length: times }, (_, n) => cause(n)))
  await pause(BROKEN_FOR)
  await repair()
  await until(async () => {
    await beforeLook()
    return (await arrived()).every((count) => count > 0)
  })
  // A second one would come now.
  await pause(1_000)
  const counts = await arrived()
  return {
    fault,
    times,
    acknowledged: replies.length,
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
    seconds: Math.max(...replies.map(({ seconds }) => seconds)),
  }
}

const byLine = (
  name: string,
  line: (lab: Lab) => Line,
  kind: (fault: string, set: LineSetter, mend: LineSetter) => Kind,
) =>
  Object.entries(BAD_MODES).map(([mode, words]) =>
    kind(
      `${name} ${words}`,
      (lab) => line(lab).behave(mode as keyof typeof BAD_MODES),
      (lab) => line(lab).behave('well'),
    ),
  )
type LineSetter = (lab: Lab) => Promise<unknown> | unknown

let people = 0
const idOf = (raw: string) => /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? raw
function mailKind(fault: string, breakIt: LineSetter, repair: LineSetter): Kind {
  return {
    fault,
    async run(lab, times) {
      await lab.stepUp()
      const batch = ++people
      const addressOf = (n: number) => `robin-${batch}-${n}@example.com`
      return tryService(
        { fault, times },
        () => breakIt(lab),
        () => repair(lab),
        (n) =>
          lab.write('/api/access/workers/invite', {
            email: addressOf(n),
            name: 'Robin',
            role: null,
            permissions: ['1'],
          }),
        () =>
          Array.from({ length: times }, (_, n) => {
            const mine = lab.mail.letters.filter(({ to }) => to === addressOf(n))
            return new Set(mine.map(({ raw }) => idOf(raw))).size
          }),
        () =>
          lab.query(`update outbox set next_try_at = clock_timestamp() where channel = 'mail' and state = 'waiting'`),
      )
    },
  }
}
const mailMood = (words: string, mode: MailServerMode) =>
  mailKind(
    `mail server ${words}`,
    ({ mail }) => mail.behave(mode),
    ({ mail }) => {
      mail.behave('well')
      mail.release()
    },
  )

let hasEndpoint = false
function hookKind(fault: string, breakIt: LineSetter, repair: LineSetter): Kind {
  return {
    fault,
    async run(lab, times) {
      await lab.stepUp()
      if (!hasEndpoint)
        await lab.write('/api/access/webhooks', {
          url: `http://${lab.hostOf('hook')}:${lab.lines.hook.port}/`,
          events: ['credits.changed'],
        })
      hasEndpoint = true
      const before = new Set(lab.hook.events.keys())
      const arrived = () => [...lab.hook.events.keys()].filter((id) => !before.has(id)).length
      return tryService(
        { fault, times },
        () => breakIt(lab),
        () => repair(lab),
        () => grant(lab),
        () => Array.from({ length: Math.max(times, arrived()) }, (_, n) => (n >= times ? 2 : Number(n < arrived()))),
        // Now, instead of after the backoff.
        () => lab.query(`update webhook_deliveries set next_attempt_at = clock_timestamp() where state = 'waiting'`),
      )
    },
  }
}
const hookMood = (words: string, mode: HookMode) =>
  hookKind(
    `webhook endpoint ${words}`,
    ({ hook }) => hook.behave(mode),
    ({ hook }) => hook.behave('well'),
  )

let texts = 0
function textKind(fault: string, breakIt: LineSetter, repair: LineSetter): Kind {
  return {
    fault,
    async run(lab, times) {
      await lab.stepUp()
      const batch = ++texts
      const bodyOf = (n: number) => `Text ${batch}.${n}.`
      return tryService(
        { fault, times },
        () => breakIt(lab),
        () => repair(lab),
        (n) => lab.write('/api/support/messages/send', { to: lab.customer.phone, body: bodyOf(n) }),
        () =>
          Array.from(
            { length: times },
            (_, n) => lab.twilio.messages.filter(({ body }) => body.startsWith(bodyOf(n))).length,
          ),
        () =>
          lab.query(`update outbox set next_try_at = clock_timestamp() where channel = 'text' and state = 'waiting'`),
      )
    },
  }
}
const textMood = (words: string, mood: Mood) =>
  textKind(
    `text service ${words}`,
    ({ twilio }) => twilio.feel(mood),
    ({ twilio }) => twilio.feel('well'),
  )

let uploads = 0
/** Files that people upload meanwhile. Each must be there afterwards, with its content. */
export async function uploadWhile(
  lab: Lab,
  { fault, times }: { fault: string; times: number },
  breakIt: () => Promise<unknown> | unknown,
  repair: () => Promise<unknown> | unknown,
): Promise<FaultRow> {
  await lab.stepUp()
  const batch = ++uploads
  const contentOf = (n: number) => `Notes ${batch}.${n}\n`.repeat(2_000)
  await breakIt()
  const uploading = Array.from({ length: times }, async (_, n) => {
    const form = new FormData()
    form.set('quality', 'high')
    form.set('files', new File([contentOf(n)], `notes-${batch}-${n}.txt`, { type: 'text/plain' }))
    const { text, seconds } = await lab.write('/api/training/assets/bulk-upload', form)
    const { assets, error } = JSON.parse(text) as { assets: { url: string }[]; error: string | null }
    if (error !== null) throw new Error(error)
    return { seconds, url: assets[0]?.url }
  })
  await pause(BROKEN_FOR)
  await repair()
  const stored = await Promise.all(uploading)
  const contents = await Promise.all(
    stored.map(async ({ url }) => {
      const reply = await fetch(new URL(url ?? '', lab.limber.url), { headers: { cookie: lab.headers.cookie ?? '' } })
      return reply.text()
    }),
  )
  const names = await lab.query<{ filename: string }>(
    `select filename from training_assets where starts_with(filename, $1)`,
    [`notes-${batch}-`],
  )
  return {
    fault,
    times,
    acknowledged: stored.length,
    lost: contents.filter((content, n) => content !== contentOf(n)).length,
    doubled: names.length - new Set(names.map(({ filename }) => filename)).size,
    seconds: Math.max(...stored.map(({ seconds }) => seconds)),
  }
}

let isInBucket = false
const bucketKind = (fault: string, breakIt: LineSetter, repair: LineSetter): Kind => ({
  fault,
  async run(lab, times) {
    if (!isInBucket) {
      await lab.limber.stop()
      await lab.start(lab.inBucket)
      isInBucket = true
    }
    return uploadWhile(
      lab,
      { fault, times },
      () => breakIt(lab),
      () => repair(lab),
    )
  },
})

const forget = (which: keyof typeof NAMES): [LineSetter, LineSetter] => [
  ({ names }) => names?.forget(NAMES[which]),
  ({ names }) => names?.restore(),
]
export const nameFaults: Kind[] = [
  mailKind('name of the mail server not found', ...forget('mail')),
  hookKind('name of the webhook endpoint not found', ...forget('hook')),
  {
    fault: 'name of the database not found for 2 s',
    run(lab, times) {
      return grantWhile(lab, { fault: this.fault, times }, async () => {
        lab.names?.forget(NAMES.database)
        lab.proxy.cut()
        lab.proxy.restore()
        await pause(2_000)
        lab.names?.restore()
      })
    },
  },
]

export const mailFaults: Kind[] = [
  mailMood('defers (451)', 'later'),
  mailMood('drops the connection in the middle of an email', 'cut'),
  mailMood('takes the email and does not answer', 'slow'),
  mailMood('dies after it accepted', 'die'),
  ...byLine('mail server', ({ lines }) => lines.mail, mailKind),
]

export const hookFaults: Kind[] = [
  hookMood('answers 500', 'error'),
  hookMood('takes the event and cuts its answer', 'cut'),
  hookMood('takes three seconds', 'slow'),
  ...byLine('webhook endpoint', ({ lines }) => lines.hook, hookKind),
]

export const textFaults: Kind[] = [
  textMood('answers 429', 'busy'),
  textMood('answers 503', 'broken'),
  textMood('takes the text and drops the connection', 'cut'),
  textMood('drops connections', 'closed'),
  ...byLine('text service', ({ lines }) => lines.texts, textKind),
]

export const bucketFaults: Kind[] = byLine('bucket', ({ lines }) => lines.bucket, bucketKind)
