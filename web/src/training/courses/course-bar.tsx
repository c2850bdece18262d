import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import { Button } from '@mantine/core'
import { IconEye, IconSchool } from '@tabler/icons-react'
import { Banner } from '#ui/feedback/banner.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from '../training.module.css'

interface Props {
  course: Course
  onPreview: () => void
  onChange: () => void
}

/** The selected course, shown above the tabs. */
export function CourseBar({ course, onPreview, onChange }: Props) {
  const { learningCount } = course
  return (
    <div className={styles.barArea}>
      <section className={styles.bar} aria-label="Selected course">
        <Icon of={IconSchool} />
        <span className={styles.barText}>
          <strong>{course.title}</strong>
          <code>{course.course_key}</code>
        </span>
        {course.lessonCount > 0 && (
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<Icon of={IconEye} size={14} />}
            onClick={onPreview}
          >
            Preview Course
          </Button>
        )}
        <HistoryButton size="xs" record={{ kind: 'course', id: course.course_key }} />
        <Button variant="default" size="xs" onClick={onChange}>
          Change Course
        </Button>
      </section>
      {course.is_active && learningCount > 0 && (
        <Banner kind="blue">
          {pluralize(learningCount, 'learner is', 'learners are')} taking this course. They see your changes
          immediately.
        </Banner>
      )}
    </div>
  )
}
