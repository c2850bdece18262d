import type { Course } from '@limber/contract/training/courses/course.ts'
import { badgeOf } from '@limber/contract/training/courses/course.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { badgeMeaning } from '../labels.ts'
import styles from '../training.module.css'

const prompts = {
  modules: 'Choose a course to manage its modules:',
  lessons: 'Choose a course to manage its lessons:',
  analytics: 'Select a course to see its analytics:',
}

interface Props {
  tab: keyof typeof prompts
  courses: readonly Course[]
  onChoose: (key: string) => void
}

/** Prompts for a course on tabs that need one. */
export function CoursePrompt({ tab, courses, onChoose }: Props) {
  return (
    <section className={styles.prompt} aria-labelledby="choose-course">
      <h2 id="choose-course" className={styles.promptTitle}>
        Select a Course
      </h2>
      <p className={styles.muted}>{prompts[tab]}</p>
      <ul className={styles.choices}>
        {courses.map((course) => (
          <li key={course.course_key}>
            <button type="button" className={styles.choice} onClick={() => onChoose(course.course_key)}>
              <span className={styles.choiceTitle}>{course.title}</span>
              <StatusDot meaning={badgeMeaning[badgeOf(course)]}>{badgeOf(course)}</StatusDot>
            </button>
          </li>
        ))}
        {courses.length === 0 && <li className={styles.muted}>No courses yet. Create one first.</li>}
      </ul>
    </section>
  )
}
