import type { Course } from '@limber/contract/training/courses/course.ts'
import { IconSchool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { FindField } from '../find-field.tsx'
import { matches } from '../matches.ts'
import { coursesQuery } from '../training.api.ts'
import styles from '../training.module.css'
import type { ChangeSearch, OpenTab } from '../training-search.ts'
import { CourseCard } from './course-card.tsx'
import { useDeletes } from './use-deletes.ts'

const DeleteCourseDialog = lazy(() => import('./delete-course-dialog.tsx'))

/** Above this number of courses, the grid shows a search field. */
const SEARCH_THRESHOLD = 5

interface Props {
  selected: string
  q: string
  change: ChangeSearch
  openTab: OpenTab
  onEdit: (key: string) => void
}

/** All courses as cards. */
export function CourseGrid({ selected, q, change, openTab, onEdit }: Props) {
  const query = useQuery(coursesQuery)
  const { removeCourse } = useDeletes()
  const [deleting, setDeleting] = useState<Course>()
  const leave = ({ course_key }: Course) => {
    if (course_key === selected) change({ course: '', module: '' })
  }
  const remove = async (course: Course) => {
    if (course.is_active && course.enrolledCount > 0) setDeleting(course)
    else if (await removeCourse(course)) leave(course)
  }
  const empty = (
    <EmptyState icon={IconSchool} title="No courses yet">
      A course contains modules, and a module contains lessons. Create your first course.
    </EmptyState>
  )
  return (
    <QueryView query={query} isEmpty={(courses) => courses.length === 0} empty={empty} loading={<GridSkeleton />}>
      {(courses) => {
        const found = courses.filter(({ title, course_key }) => matches(q, title, course_key))
        return (
          <div className={styles.shelf}>
            {(courses.length > SEARCH_THRESHOLD || q !== '') && (
              <div className={styles.tools}>
                <FindField label="Find courses" value={q} onChange={(next) => change({ q: next }, { replace: true })} />
              </div>
            )}
            {found.length === 0 && <p className={styles.nothing}>No courses match “{q}”.</p>}
            <ul className={styles.grid} aria-label="Courses">
              {found.map((course) => (
                <CourseCard
                  key={course.course_key}
                  course={course}
                  isSelected={course.course_key === selected}
                  onSelect={() => change({ course: course.course_key, module: '' })}
                  onModules={() => openTab('modules')}
                  onPreview={() => change({ preview: course.course_key })}
                  onEdit={() => onEdit(course.course_key)}
                  onTheme={() => change({ theme: course.course_key })}
                  onDelete={() => void remove(course)}
                />
              ))}
            </ul>
            <Suspense fallback={null}>
              {deleting && (
                <DeleteCourseDialog
                  course={deleting}
                  onClose={() => setDeleting(undefined)}
                  onDeleted={() => leave(deleting)}
                />
              )}
            </Suspense>
          </div>
        )
      }}
    </QueryView>
  )
}

function GridSkeleton() {
  return (
    <div className={styles.grid} role="status" aria-label="Loading">
      {['one', 'two', 'three'].map((place) => (
        <div key={place} className={styles.ghost} />
      ))}
    </div>
  )
}
