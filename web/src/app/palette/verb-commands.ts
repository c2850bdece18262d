import { useQueries, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { readPreference, savePreference } from '#platform/preferences.ts'
import type { Href } from '#platform/routing/links.ts'
import type { Sentence, Verb } from '#platform/routing/verbs.ts'
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
  const { parts = [], rest = argument } = verb.leading?.(argument) ?? {}
  const before = parts.flatMap((part) => ('slot' in part ? part.slot : []))
  return {
    tokens: [{ verb: head }, ...parts] as readonly Token[],
    rest,
    /** The whole text, with another end. */
    withRest: (next: string) => [head, ...before, next].join(' '),
    /** Without its last part. */
    back: before.length > 0 ? `${head} ` : '',
  }
}

interface Asked {
  isOpen: boolean
  /** What is typed, and the same after a pause. */
  text: string
  asked: string
  onText: (text: string) => void
  go: (path: Href) => void
  /** Shows what a complete sentence will do. */
  onSentence: (sentence: Sentence) => void
}

/** What can be done, the most used first. A verb with an argument shows its records while the argument is typed. */
export function useVerbCommands({ isOpen, text, asked, onText, go, onSentence }: Asked): {
  groups: CommandGroup[]
  sentence: ReturnType<typeof sentenceOf>
  isFetching: boolean
} {
  const session = useSession()
  const { pathname } = useLocation()
  const verbs = useVerbs(isOpen)
  const active = verbs.filter((verb) => argumentOf(verb, text) !== undefined)
  const found = useQueries({
    queries: active.map((verb) => ({
      queryKey: ['palette', 'verb', verb.id, argumentOf(verb, `${asked} `)?.trim() ?? ''],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        verb.options?.(argumentOf(verb, `${asked} `)?.trim() ?? '', signal, session) ?? [],
      enabled: isOpen,
    })),
  })
  const recent = readRecent()
  const isEmpty = text.trim() === ''
  const commandOf = (verb: Verb): Command => ({
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
  const matching = verbs
    .filter((verb) =>
      isEmpty
        ? recent.includes(verb.id)
        : !active.includes(verb) && hasWords(`${headOf(verb)} ${verb.words ?? ''}`, text.trim()),
    )
    .toSorted((a, b) => scoreOf(recent, b.id) - scoreOf(recent, a.id))
    .slice(0, isEmpty ? MAX_RECENT : MAX_SHOWN)
  const fresh = isEmpty ? verbs.filter(({ id }) => !recent.includes(id)) : []
  // What the screen has, such as a list to export, keeps its place after the verbs of the area.
  const ofScreen = fresh.filter(({ isPossible }) => isPossible !== undefined)
  const here = [
    ...fresh.filter(({ screen }) => screen === pathname).slice(0, MAX_RECENT - ofScreen.length),
    ...ofScreen,
  ]
  return {
    groups: [
      ...active.map((verb, place) => ({
        title: verb.title,
        commands: (found[place]?.data ?? []).map(
          ({ run, sentence, ...item }): Command => ({
            ...item,
            id: `${verb.id}-${item.id}`,
            keepsOpen: sentence !== undefined,
            run: () => {
              remember(verb.id)
              if (!sentence) return run(go)
              void sentence().then(onSentence, (error: unknown) => toastFailure("Couldn't load the record", error))
            },
          }),
        ),
      })),
      { title: 'Here', commands: here.map(commandOf) },
      { title: isEmpty ? 'Recent' : 'Do', commands: matching.map(commandOf) },
    ],
    sentence: sentenceOf(verbs, text),
    isFetching: found.some((query) => query.isFetching),
  }
}
