import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Needs, Session } from '../session/session.tsx'
import type { Href, Path } from './links.ts'

/** The four tabs of the top bar. */
export type Tab = 'analytics' | 'worker' | 'support' | 'growth'

/** The pages that sections hang in. `worker` holds what stands above the dashboards of that tab. */
export type Page = 'analytics' | 'worker' | 'managing' | 'financial' | 'tech' | 'support' | 'growth'

type Screen = () => Promise<{ default: ComponentType }>

/** One entry of a section list. Each area exports its own as `sections` from its sections file. */
export interface Section {
  tab: Tab
  page: Page
  title: string
  path: Path
  icon: Icon
  permission: Needs
  /** A heading inside the page, as 'Practitioners & Partners'. */
  group?: string
  order: number
  /** A screen that is reached from another one, and does not stand in the list. */
  isUnlisted?: boolean
  load: Screen
}

/**
 * A screen for people who are not signed in, exported as `publicScreens` from an area's public-screens file. It stands
 * outside of the router, which is not part of the sign-in page: plain links only.
 */
export interface PublicScreen {
  /** A part that begins with `$` stands for anything; the screen reads it from the address. */
  path: `/${string}`
  load: Screen
}

export interface PaletteItem {
  id: string
  title: string
  detail?: string
  icon?: Icon
  run: (go: (href: Href) => void) => void
}

/** Where the command palette finds records and actions. */
export interface PaletteSource {
  id: string
  title: string
  permission: Needs
  /** The best few matches; called as the person types, with the two or more letters that were typed, and who types. */
  find: (text: string, signal: AbortSignal, session: Session) => Promise<readonly PaletteItem[]>
}

/** Something that waits for the person, shown in the Today panel. */
export interface TodayItem {
  id: string
  title: string
  detail?: string
  /** The detail is something to act on now. */
  isUrgent?: boolean
  path: Href
  icon: Icon
  /** The id of an item of another area that this one makes needless: it says the same, and more. */
  covers?: string
}

/** Where it stands in the Today panel: what is mine, who is out today, what went wrong, what others did. */
export type TodayGroup = 'mine' | 'sessions' | 'warnings' | 'changes'

export interface TodaySource {
  id: string
  /** What it brings, in words that follow "Couldn't load". */
  what: string
  permission: Needs
  group: TodayGroup
  /** The place that shows all of it, beside what stands in the panel. */
  all?: { label: string; path: Path }
  find: (signal: AbortSignal) => Promise<readonly TodayItem[]>
}

/** What an area hangs into the app. */
export interface Area {
  sections?: readonly Section[]
  paletteSources?: readonly PaletteSource[]
  todaySources?: readonly TodaySource[]
}
