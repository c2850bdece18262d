import { createContext, use } from 'react'
import type { Section } from '#platform/sections.ts'

const Registry = createContext<readonly Section[]>([])

export const SectionRegistry = Registry.Provider

/** Every section of the app, open to this worker or not. */
export const useSections = () => use(Registry)
