import { businesses } from './areas/businesses.ts'
import { certifications } from './areas/certifications.ts'
import { company } from './areas/company.ts'
import { events } from './areas/events.ts'
import { growth } from './areas/growth.ts'
import { marketing } from './areas/marketing.ts'
import { partnering } from './areas/partnering.ts'
import { payroll } from './areas/payroll.ts'
import { people } from './areas/people.ts'
import { staff } from './areas/staff.ts'
import { support } from './areas/support.ts'
import { tech } from './areas/tech.ts'
import { training } from './areas/training.ts'
import { zones } from './areas/zones.ts'
import type { Seeder } from './seeder.ts'

/** In the order in which they run. To add an area, add its file and one line here. */
export const seeders: readonly Seeder[] = [
  staff,
  company,
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
