import type { Course } from '@limber/contract/training/course.ts'
import { IconSchool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/empty-state.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { CourseCard } from './course-card.tsx'
import { useDeletes } from './deletes.ts'
import { coursesQuery } from './training.api.ts'
import styles from './training.module.css'
import type { ChangeSearch } from './training-search.ts'

interface Props {
  selected: string
  change: ChangeSearch
  onEdit: (key: string) => void
}

/** Every course as a card. */
export function CourseGrid({ selected, change, onEdit }: Props) {
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
      {(courses) => (
        <ul className={styles.grid} aria-label="Courses">
          {courses.map((course) => (
            <CourseCard
              key={course.course_key}
              course={course}
              isSelected={course.course_key === selected}
              onSelect={() => change({ course: course.course_key, module: '' })}
              onPreview={() => change({ preview: course.course_key })}
              onEdit={() => onEdit(course.course_key)}
              onTheme={() => change({ theme: course.course_key })}
              onDelete={() => void remove(course)}
            />
          ))}
        </ul>
      )}
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
