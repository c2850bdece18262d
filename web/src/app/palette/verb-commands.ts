import { useQueries, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { readPreference, savePreference } from '#platform/preferences.ts'
import type { Href } from '#platform/routing/links.ts'
import type { OpenSentence, PaletteItem, Sentence, Verb } from '#platform/routing/verbs.ts'
import { hasAccess, useSession } from '#platform/session/session.tsx'
import type { Command, CommandGroup, Token } from '#ui/dialog/command-palette.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'

const RECENT = 'palette.recent'
const MAX_REMEMBERED = 50
const MAX_RECENT = 5
const MAX_SHOWN = 8

/** The ids of the verbs used last, the newest first; one that was used often is in it often. */
const readRecent = () => (readPreference(RECENT) ?? '').split(' ').filter(Boolean)
const remember = (id: string) => savePreference(RECENT, [id, ...readRecent()].slice(0, MAX_REMEMBERED).join(' '))

/** The recent uses of a verb, each worth less the longer ago it is. */
const scoreOf = (recent: readonly string[], id: string) =>
  recent.reduce((score, used, place) => (used === id ? score + 1 / (place + 1) : score), 0)

/** The words before the argument: 'grant credit' of 'Grant credit…'. */
export const headOf = ({ title }: Verb) => title.replace('…', '').toLowerCase()

const hasWords = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))

/** Splits 'grant credit jaz' into its verb and argument. */
export function argumentOf(verb: Verb, text: string): string | undefined {
  const head = `${headOf(verb)} `
  return verb.options && text.toLowerCase().startsWith(head) ? text.slice(head.length).trimStart() : undefined
}

const BECAUSE = /\s+because(?:\s+(.*))?$/i

/** The reason after the word `because`, and what stands before it. */
const splitReason = (text: string) => ({
  words: text.replace(BECAUSE, '').trim(),
  reason: BECAUSE.exec(text)?.[1] ?? '',
})

/** What a verb is asked for: the words after its title, or words that it understands without. */
const askedOf = (verb: Verb, text: string): string | undefined =>
  argumentOf(verb, text) ?? (verb.options && verb.reads?.(text) ? text : undefined)

/** All verbs that the worker may use. */
export function useVerbs(isNeeded: boolean): readonly Verb[] {
  const session = useSession()
  const { data = [] } = useQuery({
    queryKey: ['palette', 'verbs'],
    queryFn: async () => (await import('./verbs.ts')).allVerbs,
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.filter(({ permission, isPossible }) => hasAccess(session, permission) && (isPossible?.() ?? true))
}

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
  /** Goes on with a sentence; `typed` is its end, if that was typed already. */
  onSentence: (sentence: Sentence | OpenSentence, typed: string) => void
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
  isFetching: boolean
  isFailed: boolean
  retry: () => void
} {
  const session = useSession()
  const { pathname, searchStr } = useLocation()
  const verbs = useVerbs(isOpen)
  const active = verbs.filter((verb) => askedOf(verb, text) !== undefined)
  const found = useQueries({
    queries: active.map((verb) => {
      const { words } = splitReason(askedOf(verb, `${asked} `) ?? '')
      return {
        queryKey: ['palette', 'verb', verb.id, words],
        queryFn: ({ signal }: { signal: AbortSignal }) => verb.options?.(words, signal, session) ?? [],
        enabled: isOpen,
        retry: false,
      }
    }),
  })
  const recent = readRecent()
  const isEmpty = text.trim() === ''
  const verbCommand = (verb: Verb): Command => ({
    id: `verb-${verb.id}`,
    title: verb.title,
    icon: verb.icon,
    keepsOpen: verb.options !== undefined,
    run: () => {
      if (verb.options) return onText(`${verb.title.replace('…', '')} `)
      remember(verb.id)
      verb.run?.(go, session)
    },
  })
  const itemCommand = (verb: Verb, item: PaletteItem, typed = ''): Command => {
    const command = commandOf(item, {
      ...{ id: `${verb.id}-${item.id}`, go },
      onSentence: (next) => onSentence(next, typed),
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
    .filter((verb) =>
      isEmpty
        ? recent.includes(verb.id)
        : !active.includes(verb) && hasWords(`${headOf(verb)} ${verb.words ?? ''}`, text.trim()),
    )
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
  const here = [
    ...fresh
      .filter((verb) => ofHere.includes(verb) && !isOfRecord.has(verb))
      .slice(0, Math.max(0, MAX_RECENT - ofScreen.length - current.length)),
    ...ofScreen,
  ]
  const sentence = sentenceOf(verbs, text)
  return {
    groups: [
      ...active.map((verb, place) => ({
        title: sentence?.verb === verb && verb.of ? capitalized(verb.of) : verb.title,
        commands: (found[place]?.data ?? []).map((item) =>
          itemCommand(verb, item, splitReason(askedOf(verb, text) ?? '').reason),
        ),
      })),
      {
        title: `On ${current[0]?.record.title}`,
        commands: current.slice(0, MAX_RECENT).map(({ verb, record }) => ({
          ...itemCommand(verb, record),
          title: verb.title.replace('…', ''),
          icon: verb.icon,
        })),
      },
      { title: 'Here', commands: here.map(verbCommand) },
      { title: isEmpty ? 'Recent' : 'Do', commands: matching.map(verbCommand) },
    ],
    sentence,
    isFetching: found.some((query) => query.isFetching),
    isFailed: found.some((query) => query.isError),
    retry: () => {
      for (const query of found) if (query.isError) void query.refetch()
    },
  }
}
