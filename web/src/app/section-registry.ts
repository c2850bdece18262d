import { createContext, use } from 'react'
import type { BarItem, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

/** What all areas registered, whether or not this worker has access. */
export interface Registry {
  sections: readonly Section[]
  paletteSources: readonly PaletteSource[]
  todaySources: readonly TodaySource[]
  barItems: readonly BarItem[]
}

const RegistryContext = createContext<Registry>({ sections: [], paletteSources: [], todaySources: [], barItems: [] })

export const RegistryProvider = RegistryContext.Provider

export const useRegistry = () => use(RegistryContext)

export const useSections = () => useRegistry().sections
