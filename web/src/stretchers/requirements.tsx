import type { StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { linkTo } from '#platform/routing/links.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { isMet } from './is-met.ts'
import { Part } from './part.tsx'
import styles from './stretcher-dialog.module.css'

type Required = StretcherDetail['requirements']['certifications'][number]

const marks = { met: IconCircleCheck, soon: IconAlertTriangle, open: IconCircleDashed }

function Mark({ is }: { is: keyof typeof marks }) {
  return (
    <span className={styles.mark} data-is={is}>
      <Icon of={marks[is]} size={16} />
    </span>
  )
}

function stateText({ state, validUntil }: Required): string {
  if (state === 'missing') return 'Not issued'
  if (state === 'expired') return `Expired on ${dayText(validUntil)}`
  if (validUntil === null) return 'Does not expire'
  return `${state === 'expiring' ? 'Expires' : 'Valid until'} ${dayText(validUntil)}`
}

/** The courses that a certification still needs. */
function coursesText({ courses }: Required): string {
  const missing = courses.filter(({ completedAt }) => completedAt === null)
  if (courses.length === 0) return ''
  if (missing.length === 0) return ', all courses completed'
  return `, needs ${missing.map(({ courseName }) => courseName).join(', ')}`
}

/** What sessions take, each by name: what is done, what is missing, and where to do it. */
export function Requirements({ stretcher }: { stretcher: StretcherDetail }) {
  const { courses, certifications } = stretcher.requirements
  const total = courses.length + certifications.length
  if (total === 0) return null
  const open = total - courses.filter(isMet).length - certifications.filter(isMet).length
  const beside = <span className={styles.meta}>{open === 0 ? 'All met' : `${open} of ${total} missing`}</span>
  return (
    <Part title="Required for sessions" beside={beside}>
      <ul className={styles.rows}>
        {courses.map((course) => (
          <li key={course.id} className={styles.requirement}>
            <Mark is={isMet(course) ? 'met' : 'open'} />
            <RecordLink
              to="/worker/managing/training"
              search={{ tab: 'analytics', view: 'learners', course: course.id }}
              needs="training.manage"
            >
              {course.courseName}
            </RecordLink>
            <span className={styles.meta}>
              {course.completedAt ? (
                <>
                  Completed <Moment at={course.completedAt} form="day" />
                </>
              ) : (
                'Not completed'
              )}
            </span>
          </li>
        ))}
        {certifications.map((one) => (
          <li key={one.id} className={styles.requirement}>
            <Mark is={one.state === 'expiring' ? 'soon' : isMet(one) ? 'met' : 'open'} />
            <span>{one.certificationName}</span>
            <span className={styles.meta}>
              {stateText(one)}
              {one.state !== 'valid' && coursesText(one)}
              {one.state !== 'valid' && (
                <Link
                  {...linkTo('/certifications', { view: 'create', user: stretcher.userId, type: one.id })}
                  aria-label={`Issue ${one.certificationName}`}
                >
                  Issue
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
