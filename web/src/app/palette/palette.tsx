import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { now } from '#platform/clock.ts'
import { type Href, hrefTo } from '#platform/routing/links.ts'
import type { Section } from '#platform/routing/sections.ts'
import type { OpenSentence, PaletteItem, Sentence } from '#platform/routing/verbs.ts'
import { hasAccess, type Session, useSession, useSignOut } from '#platform/session/session.tsx'
import { type Command, type CommandGroup, CommandPalette } from '#ui/dialog/command-palette.tsx'
import { takeTyped } from '#ui/keyboard/typed-ahead.ts'
import { isOpen as isSectionOpen } from '../navigation.ts'
import { useRegistry } from '../section-registry.ts'
import { pages, tabs } from '../tabs.ts'
import { commandOf, hints, splitReason, useVerbCommands } from './verb-commands.ts'

/** How long nothing is typed before the server is asked. */
const PAUSE = 80

const matches = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** The order of the tabs and section lists: flat pages come before collapsible ones. */
const inOrder = tabs.flatMap(({ tab }) => {
  const own = pages.filter((entry) => entry.tab === tab)
  return [
    ...own.filter(({ isCollapsible: isFolding }) => !isFolding),
    ...own.filter(({ isCollapsible: isFolding }) => isFolding),
  ]
})
const byPlace = (a: Section, b: Section) => {
  const placeOf = ({ page }: Section) => inOrder.findIndex((entry) => entry.page === page)
  return placeOf(a) - placeOf(b) || a.order - b.order
}

function useActions(): Command[] {
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return [
    { id: 'light', title: 'Switch to light theme', icon: IconSun, run: () => setColorScheme('light') },
    { id: 'dark', title: 'Switch to dark theme', icon: IconMoon, run: () => setColorScheme('dark') },
    { id: 'sign-out', title: 'Sign out', icon: IconLogout, run: () => signOut.mutate() },
  ]
}

const isSteppedUp = ({ steppedUpUntil }: Session) =>
  steppedUpUntil !== null && new Date(steppedUpUntil).getTime() > now().getTime()

/** The sentence from records that were chosen, as far as it is said. */
function useSaying({ isOpen, onClose, go }: { isOpen: boolean; onClose: () => void; go: (path: Href) => void }) {
  const session = useSession()
  /** Each step, the last one on top. */
  const [steps, setSteps] = useState<readonly (Sentence | OpenSentence)[]>([])
  const [typed, setTyped] = useState('')
  /** What stood after `because`, for the end of the sentence. */
  const [reason, setReason] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), PAUSE)
  const [isRunning, setRunning] = useState(false)
  const last = steps.at(-1)
  const open = last && 'options' in last ? last : undefined
  const { words } = splitReason(asked)
  const found = useQuery({
    queryKey: ['palette', 'sentence', open?.verb, open?.parts, words],
    queryFn: ({ signal }) => open?.options(words, signal, session) ?? [],
    enabled: isOpen && open !== undefined,
    retry: false,
  })
  const say = (next: Sentence | OpenSentence, said = '') => {
    const end = said || reason
    setSteps((before) => [...before, next])
    setReason(end)
    setTyped('options' in next ? (next.typed ?? '') : next.last ? (next.last.typed ?? end) : '')
  }
  const back = () => {
    setSteps((before) => before.slice(0, -1))
    setTyped('')
  }
  const clear = () => {
    setSteps([])
    setReason('')
  }
  const commands = (items: readonly PaletteItem[]) =>
    items.map((item) =>
      commandOf(item, { id: `said-${item.id}`, go, onSentence: (next) => say(next, splitReason(typed).reason) }),
    )
  if (!last) return { say, clear, back }
  const common = { text: typed, onText: setTyped, onBack: back }
  if (open) {
    const groups: CommandGroup[] = [{ title: open.label, hint: open.hint, commands: commands(found.data ?? []) }]
    return {
      say,
      clear,
      back,
      found,
      groups,
      isWaiting: typed.trim() !== asked,
      field: { ...common, hint: open.hint ?? open.label, tokens: [{ verb: open.verb }, ...open.parts] },
    }
  }
  const sentence = last as Sentence
  const run = async () => {
    setRunning(true)
    const isDone = await sentence.run(typed.trim()).finally(() => setRunning(false))
    if (isDone) onClose()
  }
  const isMissing = sentence.last !== undefined && typed.trim() === ''
  const { form, also } = sentence
  return {
    ...{ say, clear, back },
    groups: also ? [{ title: also.title, commands: commands(also.items) }] : [],
    field: {
      ...common,
      tokens: [{ verb: sentence.verb }, ...sentence.parts, ...(sentence.last ? [{ word: sentence.last.word }] : [])],
      outcome: {
        label: sentence.last?.label ?? 'Press Ctrl Enter to run',
        effects: sentence.effects(typed.trim()),
        action: sentence.action,
        asksPasskey: sentence.stepUp === true && !isSteppedUp(session),
        isRunning,
        run: isMissing ? undefined : () => void run(),
        onForm:
          form &&
          (() => {
            onClose()
            go(form)
          }),
      },
    },
  }
}

interface Props {
  isOpen: boolean
  onClose: () => void
  /** Lists what can be done here, with the keys. */
  onHelp: () => void
}

/** The command palette (Ctrl-K): sections and actions at once, records from the areas as they arrive. */
export default function Palette({ isOpen, onClose, onHelp }: Props) {
  const session = useSession()
  const { sections, paletteSources } = useRegistry()
  const { history } = useRouter()
  const actions = useActions()
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), PAUSE)
  const go = (path: Href) => history.push(path)
  const { say, clear, ...said } = useSaying({ isOpen, onClose, go })
  const begin = useEffectEvent(() => {
    setText('')
    clear()
  })
  useEffect(() => {
    if (isOpen) begin()
  }, [isOpen])

  const sources = paletteSources.filter((source) => hasAccess(session, source.permission))
  const found = useQueries({
    queries: sources.map((source) => ({
      queryKey: ['palette', source.id, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(asked, signal, session),
      enabled: isOpen && asked.length > 1,
      retry: false,
    })),
  })

  const verbs = useVerbCommands({ isOpen, text, asked, onText: setText, go, onSentence: say })
  const placeOf = (page: string) => {
    const entry = pages.find((one) => one.page === page)
    return entry?.isCollapsible ? entry.title : tabs.find((one) => one.tab === entry?.tab)?.title
  }
  const places = sections
    .filter((section) => !section.isUnlisted && isSectionOpen(session, section))
    .toSorted(byPlace)
    .map((section): Command => {
      const { path, title, icon } = section
      return { id: path, title, icon, place: placeOf(section.page) ?? '', run: () => history.push(path) }
    })
  const { sentence } = verbs
  const words = sentence?.rest ?? text.trim()
  const inTickets: Command[] =
    words.length > 1 && hasAccess(session, 'tickets.handle')
      ? [
          {
            id: 'search-tickets',
            title: `Search all tickets for “${words}”`,
            icon: IconSearch,
            run: () => go(hrefTo('/support/tickets', { q: words })),
          },
        ]
      : []
  const known = new Set(verbs.groups.flatMap(({ commands }) => commands.map(({ id }) => id)))
  // What is known at once comes first, so that what arrives later moves nothing.
  const groups: CommandGroup[] = said.groups ?? [
    ...verbs.groups,
    { title: 'Go to', commands: places.filter((one) => matches(`${one.title} ${one.place}`, text)) },
    { title: 'Actions', commands: text ? actions.filter((one) => matches(one.title, text)) : [] },
    ...sources.map((source, index) => ({
      title: source.title,
      commands: (found[index]?.data ?? [])
        .filter(({ id }) => !known.has(`recent-${id}`))
        .map(({ run, ...item }): Command => ({ ...item, run: () => run(go) })),
    })),
  ]
  const shown = groups.filter((group) => group.commands.length > 0)
  // What is typed is asked after a pause.
  const isAsking = sources.length > 0 || verbs.isAsking
  const isWaiting = said.field ? said.isWaiting === true : isAsking && text.trim() !== asked
  const isSearching =
    isWaiting || verbs.isFetching || found.some((query) => query.isFetching) || (said.found?.isFetching ?? false)
  const isFailed = verbs.isFailed || found.some((query) => query.isError) || (said.found?.isError ?? false)
  const retry = () => {
    verbs.retry()
    if (said.found?.isError) void said.found.refetch()
    for (const query of found) if (query.isError) void query.refetch()
  }
  const typing = sentence && {
    text: sentence.rest,
    onText: (next: string) => setText(sentence.withRest(next)),
    tokens: sentence.tokens,
    hint: hints[sentence.verb.of ?? ''] ?? 'Name',
    onBack: () => setText(sentence.back),
  }
  const isNone = shown.length === 0 && !said.field && !isSearching && !isFailed
  return (
    <CommandPalette
      isOpen={isOpen}
      onClose={onClose}
      text={text}
      onText={setText}
      {...(said.field ?? typing)}
      onReady={() => setText((before) => before + takeTyped())}
      onHelp={onHelp}
      groups={isNone && inTickets.length > 0 ? [{ title: 'Search', commands: inTickets }] : shown}
      none={isNone && sentence?.verb.of && words !== '' ? `No ${sentence.verb.of} named “${words}”` : undefined}
      isSearching={isSearching}
      onRetry={isFailed ? retry : undefined}
    />
  )
}
