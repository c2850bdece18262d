import type { Course } from '@limber/contract/training/course.ts'
import { IconSchool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/empty-state.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { CourseCard } from './course-card.tsx'
import { useDeletes } from './deletes.ts'
import { matches } from './find.ts'
import { FindField } from './find-field.tsx'
import { coursesQuery } from './training.api.ts'
import styles from './training.module.css'
import type { ChangeSearch, OpenTab } from './training-search.ts'

/** So many stand on a screen; more have to be looked for. */
const AT_A_GLANCE = 5

interface Props {
  selected: string
  q: string
  change: ChangeSearch
  openTab: OpenTab
  onEdit: (key: string) => void
}

/** Every course as a card. */
export function CourseGrid({ selected, q, change, openTab, onEdit }: Props) {
  const query = useQuery(coursesQuery)
  const { removeCourse } = useDeletes()
  const remove = async (course: Course) => {
    const isGone = await removeCourse(course)
    if (isGone && course.course_key === selected) change({ course: '', module: '' })
  }
  const empty = (
    <EmptyState icon={IconSchool} title="There are no courses yet">
      A course holds modules, a module holds lessons. Create the first one.
    </EmptyState>
  )
  return (
    <QueryView query={query} isEmpty={(courses) => courses.length === 0} empty={empty} loading={<GridSkeleton />}>
      {(courses) => {
        const found = courses.filter(({ title, course_key }) => matches(q, title, course_key))
        return (
          <div className={styles.shelf}>
            {(courses.length > AT_A_GLANCE || q !== '') && (
              <div className={styles.tools}>
                <FindField
                  label="Find a course"
                  value={q}
                  onChange={(next) => change({ q: next }, { replace: true })}
                />
              </div>
            )}
            {found.length === 0 && <p className={styles.nothing}>No course matches “{q}”.</p>}
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
