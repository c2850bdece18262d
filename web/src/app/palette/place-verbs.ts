import { companyDay, weekStartOf } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { IconCalendarEvent, IconDownload, IconLink } from '@tabler/icons-react'
import { now } from '#platform/clock.ts'
import { type Href, hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem, Verb } from '#platform/routing/verbs.ts'
import { hasAccess, type Session } from '#platform/session/session.tsx'
import { readDay } from '#platform/words.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'

/** The link that exports the list of the screen. */
const listExport = () => document.querySelector<HTMLAnchorElement>('main a[data-export]')

interface Place {
  id: string
  permission: Verb['permission']
  titleOf: (day: string, inWords: string) => string
  hrefOf: (day: string) => Href
  /** There is nothing to see of days to come. */
  isPast?: true
}

/** Screens that show a day or its week. */
const places: readonly Place[] = [
  {
    id: 'sessions',
    permission: 'businesses.manage',
    titleOf: (day) => `On-site sessions, week of ${formatDay(weekStartOf(day), { now: now() })}`,
    hrefOf: (week) => hrefTo('/worker/managing/businesses/sessions', { week }),
  },
  {
    id: 'emails',
    permission: 'support.tab',
    titleOf: (_, inWords) => `Emails of ${inWords}`,
    hrefOf: (day) => hrefTo('/support/email-logs', { from: day, to: day }),
    isPast: true,
  },
  {
    id: 'audit',
    permission: 'access.manage',
    titleOf: (_, inWords) => `Audit log of ${inWords}`,
    hrefOf: (day) => hrefTo('/worker/tech/access/audit', { from: day, to: day }),
    isPast: true,
  },
]

function findDate(text: string, session: Session): PaletteItem[] {
  const today = companyDay(now())
  const day = readDay(text === '' ? 'today' : text, today)
  if (!day) return []
  const inWords = formatDay(day, { now: now(), hasWeekday: true })
  return places
    .filter(({ permission, isPast }) => hasAccess(session, permission) && !(isPast && day > today))
    .map(({ id, titleOf, hrefOf }) => ({
      id: `date-${id}`,
      title: titleOf(day, inWords),
      detail: inWords,
      icon: IconCalendarEvent,
      run: (go) => go(hrefOf(day)),
    }))
}

/** What works on every screen, or on those with a list. */
export const placeVerbs: readonly Verb[] = [
  {
    id: 'list-export',
    title: 'Export this list',
    words: 'csv download rows',
    permission: 'signed-in',
    icon: IconDownload,
    calls: [],
    isPossible: () => listExport() !== null,
    run: () => listExport()?.click(),
  },
  {
    id: 'date-go',
    title: 'Go to date…',
    words: 'day week calendar next tuesday',
    permission: ['businesses.manage', 'support.tab', 'access.manage'],
    icon: IconCalendarEvent,
    calls: [],
    options: async (text, _, session) => findDate(text, session),
  },
  {
    id: 'link-copy',
    title: 'Copy link',
    words: 'address url share',
    permission: 'signed-in',
    icon: IconLink,
    calls: [],
    run: () =>
      void navigator.clipboard.writeText(window.location.href).then(
        () => toast('Link copied.'),
        () =>
          toastFailure("Couldn't copy the link", undefined, {
            detail: 'Your browser blocked access to the clipboard.',
          }),
      ),
  },
]
