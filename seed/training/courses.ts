import { anatomyForStretchers } from './courses/anatomy-for-stretchers.ts'
import { customerCare } from './courses/customer-care.ts'
import { flowOfASession } from './courses/flow-of-a-session.ts'
import { onSiteEvents } from './courses/on-site-events.ts'
import { safetyFirst } from './courses/safety-first.ts'
import { toolsOfTheTrade } from './courses/tools-of-the-trade.ts'
import type { CoursePlan, FileUrl } from './plan.ts'

/** Six courses: four required ones, an optional one, and one that is still a draft. */
export const planCourses = (file: FileUrl): CoursePlan[] => [
  anatomyForStretchers(file),
  safetyFirst(file),
  flowOfASession(file),
  customerCare(),
  onSiteEvents(file),
  toolsOfTheTrade(),
]
