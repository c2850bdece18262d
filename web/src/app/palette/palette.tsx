import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Section, Sentence } from '#platform/routing/sections.ts'
import { hasAccess, useSession, useSignOut } from '#platform/session/session.tsx'
import { type Command, type CommandGroup, CommandPalette } from '#ui/dialog/command-palette.tsx'
import { takeTyped } from '#ui/keyboard/typed-ahead.ts'
import { isOpen as isSectionOpen } from '../navigation.ts'
import { useRegistry } from '../section-registry.ts'
import { pages, tabs } from '../tabs.ts'
import { useVerbCommands } from './verb-commands.ts'

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

/** The command palette (Ctrl-K): sections and actions at once, records from the areas as they arrive. */
export default function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const session = useSession()
  const { sections, paletteSources } = useRegistry()
  const { history } = useRouter()
  const actions = useActions()
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), PAUSE)
  const [chosen, setChosen] = useState<Sentence>()
  const [typed, setTyped] = useState('')
  const [isRunning, setRunning] = useState(false)
  const choose = (sentence?: Sentence) => {
    setChosen(sentence)
    setTyped('')
  }
  useEffect(() => {
    if (!isOpen) return
    setText('')
    setChosen(undefined)
  }, [isOpen])

  const sources = paletteSources.filter((source) => hasAccess(session, source.permission))
  const found = useQueries({
    queries: sources.map((source) => ({
      queryKey: ['palette', source.id, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(asked, signal, session),
      enabled: isOpen && asked.length > 1,
    })),
  })

  const go = (path: string) => history.push(path)
  const verbs = useVerbCommands({ isOpen, text, asked, onText: setText, go, onSentence: choose })
  const placeOf = (page: string) => {
    const entry = pages.find((one) => one.page === page)
    return entry?.isCollapsible ? entry.title : tabs.find((one) => one.tab === entry?.tab)?.title
  }
  const places = sections
    .filter((section) => !section.isUnlisted && isSectionOpen(session, section))
    .toSorted(byPlace)
    .map((section): Command => {
      const { path, title, icon } = section
      return { id: path, title, icon, place: placeOf(section.page) ?? '', run: () => go(path) }
    })
  const groups: CommandGroup[] = [
    ...verbs.groups,
    ...sources.map((source, index) => ({
      title: source.title,
      commands: (found[index]?.data ?? []).map(({ run, ...item }): Command => ({ ...item, run: () => run(go) })),
    })),
    { title: 'Go to', commands: places.filter((one) => matches(`${one.title} ${one.place}`, text)) },
    { title: 'Actions', commands: text ? actions.filter((one) => matches(one.title, text)) : [] },
  ]
  const { sentence } = verbs
  const run = async ({ run: make }: Sentence) => {
    setRunning(true)
    const isDone = await make(typed.trim()).finally(() => setRunning(false))
    if (isDone) onClose()
  }
  const isMissing = chosen?.last !== undefined && typed.trim() === ''
  const saying = chosen
    ? {
        text: typed,
        onText: setTyped,
        tokens: [{ verb: chosen.verb }, ...chosen.parts, ...(chosen.last ? [{ word: chosen.last.word }] : [])],
        onBack: () => choose(),
        outcome: {
          label: chosen.last?.label ?? 'Press Enter to run',
          effects: chosen.effects(typed.trim()),
          action: chosen.action,
          isRunning,
          run: isMissing ? undefined : () => void run(chosen),
        },
      }
    : sentence && {
        text: sentence.rest,
        onText: (next: string) => setText(sentence.withRest(next)),
        tokens: sentence.tokens,
        onBack: () => setText(sentence.back),
      }
  return (
    <CommandPalette
      isOpen={isOpen}
      onClose={onClose}
      text={text}
      onText={setText}
      {...saying}
      onReady={() => setText((before) => before + takeTyped())}
      groups={groups.filter((group) => group.commands.length > 0)}
      isSearching={verbs.isFetching || found.some((query) => query.isFetching)}
    />
  )
}
