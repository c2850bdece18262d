import * as access from '#access/sections.ts'
import type { Area } from '#platform/sections.ts'
import { managing } from './managing.ts'

/** Every area hangs in here, and only here: a new one adds its line. */
export const areas: readonly Area[] = [access, managing]

export const sections = areas.flatMap((area) => area.sections ?? [])
export const paletteSources = areas.flatMap((area) => area.paletteSources ?? [])
export const todaySources = areas.flatMap((area) => area.todaySources ?? [])
