import { listUnusedBlocks, type UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { activateBlock, type CandidateList, listCandidates } from '@limber/contract/businesses/sessions/onsite.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { holidayOn } from '@limber/contract/kit/holidays.ts'
import { dayIn, momentsFromInput, readBareMoment, roundUpToFive } from '@limber/contract/kit/zone-time.ts'
import { IconArrowBackUp, IconBox, IconCalendarPlus, IconFlag, IconMail, IconStretching } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { now } from '#platform/clock.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { OpenSentence, PaletteItem, Sentence } from '#platform/routing/verbs.ts'
import type { Session } from '#platform/session/session.tsx'
import { splitStart } from '#platform/words.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { blockText, sessionInZone, startInZone } from '../labels.ts'

const HOUR = 3_600_000
const MAX_STRETCHERS = 5

const nameOf = (block: UnusedBlock) => block.internal_label || `Block ${block.id}`
const formOf = ({ id, business }: UnusedBlock) =>
  hrefTo('/worker/managing/businesses', { business: business.id, block: id })

/** The start that words mean in the time zone of the business; a day without a time begins at 9 AM. */
function readStart(text: string, zone: string): Date | undefined {
  if (text === '') return roundUpToFive(now())
  const { rest, day, time = '09:00' } = splitStart(text, companyDay(now()))
  return day && rest === '' ? momentsFromInput(`${day}T${time}`, zone)?.[0] : undefined
}

interface Chosen {
  session: Session
  block: UnusedBlock
  at: Date
  stretcher: { id: number; name: string }
}

/** The whole sentence. */
function sessionSentence({ session, block, at, stretcher }: Chosen): Sentence {
  const { business } = block
  const zone = business.time_zone
  const end = new Date(at.getTime() + block.block_hours * HOUR)
  const bare = (moment: Date) => moment.toISOString().slice(0, -1)
  const day = dayIn(zone, at)
  const holiday = holidayOn(day)
  return {
    verb: 'Schedule',
    parts: [
      { slot: business.name },
      { word: 'on' },
      { slot: startInZone(at, zone, now()) },
      { word: 'with' },
      { slot: stretcher.name },
    ],
    effects: () => [
      {
        icon: IconCalendarPlus,
        label: 'Session',
        value: sessionInZone({ starts_at: bare(at), ends_at: bare(end) }, zone, now()),
      },
      ...(holiday ? [{ icon: IconFlag, label: 'Holiday', value: `${holiday.name}. The business may be closed.` }] : []),
      { icon: IconBox, label: nameOf(block), value: blockText(block.block_hours, block.slot_length_minutes) },
      {
        icon: IconMail,
        label: 'Email',
        value: session.hasMailServer
          ? `To ${stretcher.name} and ${business.admin_email}`
          : 'No mail server is connected, so nothing is sent.',
      },
      { icon: IconArrowBackUp, label: 'Undo', value: 'Cancel the session. Its hours go back to the block.' },
    ],
    action: 'Schedule',
    form: formOf(block),
    run: () =>
      act(
        () =>
          send(activateBlock, {
            body: {
              prepaid_block_id: block.id,
              stretcher_id: stretcher.id,
              starts_at: at.toISOString(),
              notify: { stretcher: true, business: true },
            },
          }),
        { done: () => toast('Session scheduled!'), failed: "Couldn't schedule the session" },
      ),
  }
}

/** The stretchers at the typed start, those who are busy with the reason, and the next free starts. */
function startItems(
  { session, block, at }: Omit<Chosen, 'stretcher'>,
  isTyped: boolean,
  list: CandidateList,
): PaletteItem[] {
  const zone = block.business.time_zone
  const item = (start: Date, stretcher: Chosen['stretcher'], refusal?: string): PaletteItem => ({
    id: `start-${start.toISOString()}-${stretcher.id}`,
    title: startInZone(start, zone, now()),
    detail: stretcher.name,
    icon: IconStretching,
    ...(refusal && { refusal }),
    run: () => undefined,
    sentence: async () => sessionSentence({ session, block, at: start, stretcher }),
  })
  const able = list.candidates.filter(({ state }) => state === 'free' || state === 'busy')
  const then = isTyped
    ? able.slice(0, MAX_STRETCHERS).map((one) => item(at, one, one.state === 'busy' ? 'Busy' : undefined))
    : []
  const next = list.next_starts.flatMap(({ starts_at, stretcher_id }) => {
    const stretcher = able.find(({ id }) => id === stretcher_id)
    return stretcher ? [item(readBareMoment(starts_at), stretcher)] : []
  })
  return [...then, ...next.filter(({ id }) => !then.some((one) => one.id === id))]
}

const askStart = (block: UnusedBlock, typed: string): OpenSentence => ({
  verb: 'Schedule',
  parts: [{ slot: block.business.name }, { word: 'on' }],
  label: 'Start',
  hint: 'next Tuesday 9 AM',
  ...(typed && { typed }),
  options: async (text, signal, session) => {
    const at = readStart(text, block.business.time_zone)
    if (!at) return []
    const body = { prepaid_block_id: block.id, starts_at: at.toISOString() }
    return startItems({ session, block, at }, text !== '', await send(listCandidates, { body }, { signal }))
  },
})

/** Unused blocks whose business or label contains the text, those that expire first at the top. */
export async function findBlocks(text: string, start: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const words = text.toLowerCase()
  const { blocks } = await send(listUnusedBlocks, {}, { signal })
  return blocks
    .filter((block) => `${block.business.name} ${nameOf(block)}`.toLowerCase().includes(words))
    .slice(0, 8)
    .map((block) => ({
      id: `block-${block.id}`,
      title: block.business.name,
      detail: [
        nameOf(block),
        blockText(block.block_hours, block.slot_length_minutes),
        ...(block.expires_on ? [`use by ${formatDay(block.expires_on, { now: now() })}`] : []),
      ].join(' · '),
      icon: IconBox,
      run: (go) => go(formOf(block)),
      sentence: async () => askStart(block, start),
    }))
}
