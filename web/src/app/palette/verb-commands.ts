import { useQueries, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { readPreference, savePreference } from '#platform/preferences.ts'
import type { Href } from '#platform/routing/links.ts'
import { readRecentRecords } from '#platform/routing/recent-records.ts'
import type { OpenSentence, PaletteItem, RecentKind, Sentence, Verb } from '#platform/routing/verbs.ts'
import { hasAccess, type Session, useSession } from '#platform/session/session.tsx'
import type { Command, CommandGroup, Token } from '#ui/dialog/command-palette.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'

const RECENT = 'palette.recent'
const MAX_REMEMBERED = 50
const MAX_RECENT = 5
const MAX_SHOWN = 8

/** The ids of the verbs used last, the newest first; one that was used often is in it often. */
const readRecent = () => (readPreference(RECENT) ?? '').split(' ').filter(Boolean)
const remember = (id: string) => savePreference(RECENT, [id, ...readRecent()].slice(0, MAX_REMEMBERED).join(' '))

/** The recent uses of something, each worth less the longer ago it is. */
const scoreOf = (recent: readonly string[], id: string) =>
  recent.reduce((score, used, place) => (used === id ? score + 1 / (place + 1) : score), 0)

/** The records opened last and most, the best first, as what the finders return. */
function recentItems(kinds: readonly RecentKind[], session: Session) {
  const opened = readRecentRecords(session.workerId)
  const keys = opened.map(({ of, id }) => `${of} ${id}`)
  return [...new Set(keys)]
    .toSorted((a, b) => scoreOf(keys, b) - scoreOf(keys, a))
    .flatMap((key) => {
      const record = opened[keys.indexOf(key)]
      const kind = kinds.find(({ of }) => of === record?.of)
      const href = record && kind?.hrefOf(record.id, session)
      if (!kind || !href) return []
      const { of, prefix, icon } = kind
      const title = of === 'ticket' ? `#${record.id} ${record.title}` : record.title
      return [{ of, id: `${prefix}-${record.id}`, title, icon, href, run: (go: (path: Href) => void) => go(href) }]
    })
}
type RecentItem = ReturnType<typeof recentItems>[number]

/** A record that was opened before, as the argument of a verb. */
const asArgument = (verb: Verb, { id, title, icon, href }: RecentItem, session: Session): PaletteItem[] => {
  if (!verb.current) return [{ id, title, icon, run: (go) => go(href) }]
  const record = verb.current(new URLSearchParams(href.split('?')[1]), session)
  return record ? [{ ...record, id, title, icon }] : []
}

/** What a record is found by. */
export const hints: Readonly<Record<string, string>> = {
  customer: 'Name, email, phone or ID',
  ticket: 'Number or words',
  worker: 'Name or email',
}

/** The words before the argument: 'grant credit' of 'Grant credit…'. */
export const headOf = ({ title }: Verb) => title.replace('…', '').toLowerCase()

const hasWords = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))

const isNamed = (verb: Verb, text: string) => hasWords(`${headOf(verb)} ${verb.words ?? ''}`, text)

/** Splits 'grant credit jaz' into its verb and argument. */
export function argumentOf(verb: Verb, text: string): string | undefined {
  const head = `${headOf(verb)} `
  return verb.options && text.toLowerCase().startsWith(head) ? text.slice(head.length).trimStart() : undefined
}

const BECAUSE = /\s+because(?:\s+(.*))?$/i

/** The reason after the word `because`, and what stands before it. */
export const splitReason = (text: string) => ({
  words: text.replace(BECAUSE, '').trim(),
  reason: BECAUSE.exec(text)?.[1] ?? '',
})

/** `grant` of `grant credit`: titles that several verbs begin with are not cut. */
const MAX_SHARING = 3
const LINKING = /^(?:to|for|of|at|with)\s+/i

/** Splits `assign kenji` for the verbs whose titles begin with `assign`, when no title has all its words. */
function cutHeads(verbs: readonly Verb[], text: string): ReadonlyMap<Verb, string> {
  const words = text.trim().split(/\s+/)
  if (words.length < 2 || verbs.some((verb) => isNamed(verb, text.trim()))) return new Map()
  for (let count = words.length - 1; count > 0; count -= 1) {
    const head = `${words.slice(0, count).join(' ').toLowerCase()} `
    const cut = verbs.filter((verb) => verb.options && headOf(verb).startsWith(head))
    const rest = words.slice(count).join(' ').replace(LINKING, '')
    if (cut.length > 0) return new Map(cut.length > MAX_SHARING ? [] : cut.map((verb) => [verb, rest]))
  }
  return new Map()
}

/** What the verbs are asked for: the words after their titles, or words that they understand without. */
function asksOf(verbs: readonly Verb[], text: string): ReadonlyMap<Verb, string> {
  const asks = new Map(
    verbs.flatMap((verb) => {
      const words = argumentOf(verb, text) ?? (verb.options && verb.reads?.(text) ? text : undefined)
      return words === undefined ? [] : [[verb, words] as const]
    }),
  )
  return asks.size > 0 ? asks : cutHeads(verbs, text)
}

/** All verbs that the worker may use, and the kinds of records that can be opened again. */
function usePaletteData(isNeeded: boolean) {
  const session = useSession()
  const { data } = useQuery({
    queryKey: ['palette', 'verbs'],
    queryFn: async () => {
      const { allVerbs, recentKinds } = await import('./verbs.ts')
      return { verbs: allVerbs, kinds: recentKinds }
    },
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isAllowed = ({ permission }: { permission: Verb['permission'] }) => hasAccess(session, permission)
  return {
    verbs: (data?.verbs ?? []).filter((verb) => isAllowed(verb) && (verb.isPossible?.() ?? true)),
    kinds: (data?.kinds ?? []).filter(isAllowed),
  }
}

/** All verbs that the worker may use. */
export const useVerbs = (isNeeded: boolean): readonly Verb[] => usePaletteData(isNeeded).verbs

/** The sentence so far, when the text is a verb and its argument: what stands before the field, and what is in it. */
export function sentenceOf(verbs: readonly Verb[], text: string) {
  const [verb] = verbs
    .filter((one) => argumentOf(one, text) !== undefined)
    .toSorted((a, b) => headOf(b).length - headOf(a).length)
  if (!verb) return
  const head = verb.title.replace('…', '')
  const argument = argumentOf(verb, text) ?? ''
  const { act = head, parts = [], words = '', rest = argument } = verb.leading?.(argument) ?? {}
  return {
    verb,
    tokens: [{ verb: act }, ...parts] as readonly Token[],
    rest,
    /** The whole text, with another end. */
    withRest: (next: string) => [head, ...(words ? [words] : []), next].join(' '),
    /** Without its last part. */
    back: words ? `${head} ` : '',
  }
}

interface Asked {
  isOpen: boolean
  /** What is typed, and the same after a pause. */
  text: string
  asked: string
  onText: (text: string) => void
  go: (path: Href) => void
  /** Goes on with a sentence; `reason` is what stood after `because`. */
  onSentence: (sentence: Sentence | OpenSentence, reason: string) => void
}

/** An item of a finder as a command. */
export const commandOf = (
  { run, sentence, ...item }: PaletteItem,
  { id, go, onSentence }: { id: string; go: (path: Href) => void; onSentence: (next: Sentence | OpenSentence) => void },
): Command => ({
  ...item,
  id,
  keepsOpen: sentence !== undefined,
  run: () => {
    if (!sentence) return run(go)
    void sentence().then(onSentence, (error: unknown) => toastFailure("Couldn't load the record", error))
  },
})

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** What can be done, the most used first. A verb with an argument shows its records while the argument is typed. */
export function useVerbCommands({ isOpen, text, asked, onText, go, onSentence }: Asked): {
  groups: CommandGroup[]
  sentence: ReturnType<typeof sentenceOf>
  /** Whether records are looked up. */
  isAsking: boolean
  isFetching: boolean
  isFailed: boolean
  retry: () => void
} {
  const session = useSession()
  const { pathname, searchStr } = useLocation()
  const { verbs, kinds } = usePaletteData(isOpen)
  const asks = asksOf(verbs, text)
  const active = [...asks.keys()]
  // What was typed before the pause, as far as it is still the same verb.
  const settled = asksOf(verbs, `${asked} `)
  const wordsOf = (verb: Verb) => splitReason(settled.get(verb) ?? '').words
  const found = useQueries({
    queries: active.map((verb) => {
      const words = wordsOf(verb)
      return {
        queryKey: ['palette', 'verb', verb.id, words],
        queryFn: ({ signal }: { signal: AbortSignal }) => verb.options?.(words, signal, session) ?? [],
        enabled: isOpen,
        retry: false,
      }
    }),
  })
  const opened = isOpen ? recentItems(kinds, session) : []
  const here = `${pathname}${searchStr}`
  const recent = readRecent()
  const isEmpty = text.trim() === ''
  const verbCommand = (verb: Verb): Command => ({
    id: `verb-${verb.id}`,
    title: verb.title,
    icon: verb.icon,
    keepsOpen: verb.options !== undefined || verb.sentence !== undefined,
    run: () => {
      if (verb.options) return onText(`${verb.title.replace('…', '')} `)
      remember(verb.id)
      if (verb.sentence) void verb.sentence().then((next) => onSentence(next, ''))
      else verb.run?.(go, session)
    },
  })
  const itemCommand = (verb: Verb, item: PaletteItem, reason = ''): Command => {
    const command = commandOf(item, {
      ...{ id: `${verb.id}-${item.id}`, go },
      onSentence: (next) => onSentence(next, reason),
    })
    return {
      ...command,
      run: () => {
        remember(verb.id)
        command.run()
      },
    }
  }
  const matching = verbs
    .filter((verb) => (isEmpty ? recent.includes(verb.id) : !active.includes(verb) && isNamed(verb, text.trim())))
    .toSorted((a, b) => scoreOf(recent, b.id) - scoreOf(recent, a.id))
    .slice(0, isEmpty ? MAX_RECENT : MAX_SHOWN)
  const ofHere = verbs.filter(({ screen }) => screen === pathname)
  const search = new URLSearchParams(searchStr)
  const current = (isEmpty ? ofHere : []).flatMap((verb) => {
    const record = verb.current?.(search, session)
    return record ? [{ verb, record }] : []
  })
  const fresh = isEmpty ? verbs.filter(({ id }) => !recent.includes(id)) : []
  // What the screen has, such as a list to export, keeps its place after the verbs of the area.
  const ofScreen = fresh.filter(({ isPossible }) => isPossible !== undefined)
  const isOfRecord = new Set(current.map(({ verb }) => verb))
  const ofPlace = [
    ...fresh
      .filter((verb) => ofHere.includes(verb) && !isOfRecord.has(verb))
      .slice(0, Math.max(0, MAX_RECENT - ofScreen.length - current.length)),
    ...ofScreen,
  ]
  const sentence = sentenceOf(verbs, text)
  const candidates = (verb: Verb, place: number) => {
    const items = found[place]?.data ?? []
    if (!verb.of || wordsOf(verb) !== '') return items
    const known = opened.filter(({ of }) => of === verb.of).flatMap((item) => asArgument(verb, item, session))
    const first = known.slice(0, MAX_RECENT)
    return [...first, ...items.filter(({ id }) => !first.some((one) => one.id === id))].slice(0, MAX_SHOWN)
  }
  const records = opened
    .filter(({ title, href }) => (isEmpty ? href !== here : hasWords(title.toLowerCase(), text.trim())))
    .slice(0, isEmpty ? MAX_RECENT : 3)
    .map(
      ({ of, href, ...item }): Command => ({
        ...item,
        id: `recent-${item.id}`,
        place: capitalized(of),
        run: () => go(href),
      }),
    )
  return {
    groups: [
      ...active.map((verb, place) => ({
        title: sentence?.verb === verb && verb.of ? capitalized(verb.of) : verb.title,
        hint: sentence?.verb === verb ? hints[verb.of ?? ''] : undefined,
        commands: candidates(verb, place).map((item) =>
          itemCommand(verb, item, splitReason(asks.get(verb) ?? '').reason),
        ),
      })),
      {
        title: `On ${current[0]?.record.title}`,
        commands: current.slice(0, MAX_RECENT).map(({ verb, record }) => ({
          ...itemCommand(verb, record),
          title: verb.title.replace('…', ''),
          icon: verb.icon,
          keys: verb.keys,
        })),
      },
      { title: 'Here', commands: ofPlace.map(verbCommand) },
      ...(isEmpty
        ? [{ title: 'Recent', commands: [...matching.map(verbCommand), ...records] }]
        : [
            { title: 'Do', commands: matching.map(verbCommand) },
            { title: 'Recent', commands: active.length > 0 ? [] : records },
          ]),
    ],
    sentence,
    isAsking: active.length > 0,
    isFetching: found.some((query) => query.isFetching),
    isFailed: found.some((query) => query.isError),
    retry: () => {
      for (const query of found) if (query.isError) void query.refetch()
    },
  }
}
