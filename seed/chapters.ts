import type { Chapter } from './chapter.ts'
import { businesses } from './chapters/businesses.ts'
import { certifications } from './chapters/certifications.ts'
import { events } from './chapters/events.ts'
import { growth } from './chapters/growth.ts'
import { marketing } from './chapters/marketing.ts'
import { partnering } from './chapters/partnering.ts'
import { payroll } from './chapters/payroll.ts'
import { people } from './chapters/people.ts'
import { staff } from './chapters/staff.ts'
import { support } from './chapters/support.ts'
import { tech } from './chapters/tech.ts'
import { training } from './chapters/training.ts'
import { zones } from './chapters/zones.ts'

/** The order in which the company comes to be. An area adds its own file and one line. */
export const chapters: readonly Chapter[] = [
  staff,
  zones,
  people,
  businesses,
  payroll,
  growth,
  certifications,
  training,
  support,
  marketing,
  partnering,
  events,
  tech,
]
