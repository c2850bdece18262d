import { accessRecents, accessVerbs } from '#access/verbs.ts'
import { automationVerbs } from '#automation/verbs.ts'
import { backupVerbs } from '#backups/verbs.ts'
import { businessRecents, businessVerbs } from '#businesses/verbs.ts'
import { certificationVerbs } from '#certifications/verbs.ts'
import { companyVerbs } from '#company/verbs.ts'
import { growthVerbs } from '#growth/verbs.ts'
import { importVerbs } from '#imports/verbs.ts'
import { marketingRecents, marketingVerbs } from '#marketing/verbs.ts'
import { payrollVerbs } from '#payroll/verbs.ts'
import type { RecentKind, Verb } from '#platform/routing/verbs.ts'
import { stretcherRecents, stretcherVerbs } from '#stretchers/verbs.ts'
import { supportRecents, supportVerbs } from '#support/verbs.ts'
import { techVerbs } from '#tech/verbs.ts'
import { trainingVerbs } from '#training/verbs.ts'
import { placeVerbs } from './place-verbs.ts'

/** The verbs of all areas, loaded when the palette opens. A new area adds its line. */
export const allVerbs: readonly Verb[] = [
  ...accessVerbs,
  ...automationVerbs,
  ...backupVerbs,
  ...businessVerbs,
  ...certificationVerbs,
  ...companyVerbs,
  ...growthVerbs,
  ...importVerbs,
  ...marketingVerbs,
  ...payrollVerbs,
  ...stretcherVerbs,
  ...supportVerbs,
  ...techVerbs,
  ...trainingVerbs,
  ...placeVerbs,
]

/** The kinds of records that can be opened again. */
export const recentKinds: readonly RecentKind[] = [
  ...accessRecents,
  ...businessRecents,
  ...marketingRecents,
  ...stretcherRecents,
  ...supportRecents,
]
