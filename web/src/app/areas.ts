import { accessArea } from '#access/area.ts'
import { analyticsArea } from '#analytics/area.ts'
import { automationArea } from '#automation/area.ts'
import { backupsArea } from '#backups/area.ts'
import { businessesArea } from '#businesses/area.ts'
import { certificationsArea } from '#certifications/area.ts'
import { companyArea } from '#company/area.ts'
import { growthArea } from '#growth/area.ts'
import { importsArea } from '#imports/area.ts'
import { marketingArea } from '#marketing/area.ts'
import { payrollArea } from '#payroll/area.ts'
import type { Area } from '#platform/routing/sections.ts'
import { stretchersArea } from '#stretchers/area.ts'
import { supportArea } from '#support/area.ts'
import { techArea } from '#tech/area.ts'
import { trainingArea } from '#training/area.ts'
import { managing } from './managing.ts'
import type { Registry } from './section-registry.ts'

/** A new area adds its line here. */
const areas: readonly Area[] = [
  accessArea,
  analyticsArea,
  automationArea,
  backupsArea,
  businessesArea,
  certificationsArea,
  companyArea,
  marketingArea,
  growthArea,
  importsArea,
  payrollArea,
  stretchersArea,
  supportArea,
  techArea,
  trainingArea,
  managing,
]

export const registry: Registry = {
  sections: areas.flatMap((area) => area.sections ?? []),
  paletteSources: areas.flatMap((area) => area.paletteSources ?? []),
  todaySources: areas.flatMap((area) => area.todaySources ?? []),
  barItems: areas.flatMap((area) => area.barItems ?? []),
}
