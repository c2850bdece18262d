import * as access from '#access/sections.ts'
import * as analytics from '#analytics/sections.ts'
import * as automation from '#automation/sections.ts'
import * as backups from '#backups/sections.ts'
import * as businesses from '#businesses/sections.ts'
import * as certifications from '#certifications/sections.ts'
import * as growth from '#growth/sections.ts'
import * as marketing from '#marketing/sections.ts'
import * as payroll from '#payroll/sections.ts'
import type { Area } from '#platform/routing/sections.ts'
import * as stretchers from '#stretchers/sections.ts'
import * as support from '#support/sections.ts'
import * as tech from '#tech/sections.ts'
import * as training from '#training/sections.ts'
import { managing } from './managing.ts'
import type { Registry } from './section-registry.ts'

/** Every area hangs in here, and only here: a new one adds its line. */
const areas: readonly Area[] = [
  access,
  analytics,
  automation,
  backups,
  businesses,
  certifications,
  marketing,
  growth,
  payroll,
  stretchers,
  support,
  tech,
  training,
  managing,
]

export const registry: Registry = {
  sections: areas.flatMap((area) => area.sections ?? []),
  paletteSources: areas.flatMap((area) => area.paletteSources ?? []),
  todaySources: areas.flatMap((area) => area.todaySources ?? []),
}
