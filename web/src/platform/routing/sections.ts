import type { LiveTopic } from '@limber/contract/kit/live.ts'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Needs, Session } from '../session/session.tsx'
import type { Href, Path } from './links.ts'

/** The four tabs of the top bar. */
export type Tab = 'analytics' | 'worker' | 'support' | 'growth'

/** The pages that sections belong to. Sections of `worker` are listed above the dashboards of that tab. */
export type Page = 'analytics' | 'worker' | 'managing' | 'financial' | 'tech' | 'support' | 'growth'

type Screen = () => Promise<{ default: ComponentType }>

/** One entry of a section list. */
export interface Section {
  tab: Tab
  page: Page
  title: string
  path: Path
  icon: Icon
  permission: Needs
  /** A heading inside the page, such as 'Practitioners & Partners'. */
  group?: string
  order: number
  /** Reached from another screen, and not shown in the list. */
  isUnlisted?: boolean
  load: Screen
  /** Shown under the entry in the list while the section is open, such as its saved filters. */
  below?: Screen
}

/**
 * A screen for people who are not signed in, exported as `publicScreens` from an area's public-screens file. It is
 * rendered without the router, which the sign-in page does not load, so it can use plain links only.
 */
export interface PublicScreen {
  /** A part that begins with `$` matches any value; the screen reads it from the URL. */
  path: `/${string}`
  load: Screen
}

/** One line of what a sentence of the palette will do. */
export interface Effect {
  icon: Icon
  label: string
  value: string
  /** The value before. */
  was?: string
}

/** A sentence of the palette with all parts but what is typed at its end. It says what will happen before it happens. */
export interface Sentence {
  verb: string
  parts: readonly SentencePart[]
  /** What is typed at the end, such as a reason, after a word such as `because`; `typed` is what was said of it before. */
  last?: { word: string; label: string; typed?: string }
  /** The call asks for a passkey confirmation. */
  stepUp?: boolean | undefined
  effects: (typed: string) => readonly Effect[]
  /** The verb on the button: 'Grant 2 credits'. */
  action: string
  /** The dialog that asks for the same, with the same values. */
  form?: Href
  /** What else can be done to the chosen record. */
  also?: { title: string; items: readonly PaletteItem[] }
  /** Does it and says so. Resolves to whether it was done. */
  run: (typed: string) => Promise<boolean>
}

/** A sentence that lacks another record, such as the worker to assign to. */
export interface OpenSentence {
  verb: string
  parts: readonly SentencePart[]
  /** What the field asks for: 'Worker'. */
  label: string
  /** What to type: 'next Tuesday 9 AM'. */
  hint?: string
  /** What was said of it before. */
  typed?: string
  options: NonNullable<Verb['options']>
}

/** A chosen record or value, or a word between them. */
export type SentencePart = { slot: string } | { word: string }

export interface PaletteItem {
  id: string
  title: string
  detail?: string
  icon?: Icon
  /** Why it cannot be chosen: 'Already blocked'. */
  refusal?: string
  run: (go: (href: Href) => void) => void
  /** Instead of running at once, asks for what is missing, or says what will happen. */
  sentence?: () => Promise<Sentence | OpenSentence>
}

/** Searches records for the command palette. */
export interface PaletteSource {
  id: string
  title: string
  permission: Needs
  /** Returns the best matches. Called while the person types, from the second letter on. */
  find: (text: string, signal: AbortSignal, session: Session) => Promise<readonly PaletteItem[]>
}

/** A kind of record that the palette offers again once the worker has opened it. Its area keeps it beside its verbs. */
export interface RecentKind {
  /** 'customer', as in `of` of a verb. */
  of: string
  /** The ids that the finder of these records gives begin with it: `user` of `user-7`. */
  prefix: string
  permission: Needs
  icon: Icon
  hrefOf: (id: number, session: Session) => Href | undefined
}

/** Something to do, in the command palette. Its area keeps it beside its screens. */
export interface Verb {
  id: string
  /** 'New lead'; with an argument 'Grant credit…'. */
  title: string
  /** Other words for the same. */
  words?: string
  permission: Needs
  icon: Icon
  /** The screen it belongs to; `?` lists it there. Without one it works on every screen. */
  screen?: Path
  /** The calls that it makes or whose form it opens, as 'POST /api/leads'. */
  calls: readonly string[]
  /** What the records are: 'customer'. */
  of?: string
  /** The key that does the same to the open record. */
  keys?: string
  /** The record of the screen, from the parameters of its address. */
  current?: (search: URLSearchParams, session: Session) => PaletteItem | undefined
  /** The records it can be done to, while one is typed after the title. */
  options?: (text: string, signal: AbortSignal, session: Session) => Promise<readonly PaletteItem[]>
  /** A part that stands before the record, once it is typed, and the verb before it: `Grant` `2 credits` of `2 credits jaz`. */
  leading?: (text: string) => { act: string; parts: readonly SentencePart[]; words: string; rest: string } | undefined
  /** Reads its argument from words that do not begin with the title: `2 credits jaz`. */
  reads?: (text: string) => boolean
  /** Whether the screen has what it needs. It is left out otherwise. */
  isPossible?: () => boolean
  /** Without an argument: says what will happen first. */
  sentence?: () => Promise<Sentence>
  /** Without an argument: does it, or opens its form. */
  run?: (go: (href: Href) => void, session: Session) => void
}

/** Something with a link, shown in the Today panel. */
export interface TodayNote {
  id: string
  title: string
  detail?: string
  /** When, in words: `9:00 AM`, `Due Sun, Nov 22`. */
  when?: string
  path: Href
  icon: Icon
}

/** Something that needs attention. */
export interface TodayItem extends TodayNote {
  /**
   * Why, which is also the order: it is broken, someone is waiting, it is due on a day, or it can be put in order when
   * there is time.
   */
  need: 'broken' | 'waiting' | 'due' | 'tidy'
  /** The day or the moment that it is due. */
  due?: string
  /** Highlights when, because it is late or nearly so. */
  isUrgent?: boolean
  /** The next step. It opens `path`, or is done in place and resolves when it is over. */
  action: { label: string; run?: () => Promise<unknown> }
  /** The id of another area's item that this one replaces, because it says the same and more. */
  covers?: string
}

/** A number of the Today panel. It opens what it counts. */
export interface TodayNumber {
  id: string
  label: string
  value: string
  isUrgent?: boolean
  path: Href
}

interface TodayFinder<Group extends string, Found> {
  id: string
  /** Names the content in the error message: "Couldn't load failed schedules." */
  what: string
  permission: Needs
  group: Group
  /** Refreshes it when something changes. */
  topic?: LiveTopic
  find: (signal: AbortSignal, session: Session) => Promise<readonly Found[]>
}

/** What needs attention, numbers, the next on-site sessions, or changes by others. */
export type TodaySource =
  | TodayFinder<'needs', TodayItem>
  | TodayFinder<'numbers', TodayNumber>
  | TodayFinder<'sessions' | 'changes', TodayNote>

/** Something in the top bar of every screen. It loads with the first live message, which only its readers get. */
export interface BarItem {
  topic: LiveTopic
  load: Screen
}

/** What an area registers with the app. */
export interface Area {
  sections?: readonly Section[]
  paletteSources?: readonly PaletteSource[]
  todaySources?: readonly TodaySource[]
  barItems?: readonly BarItem[]
}
