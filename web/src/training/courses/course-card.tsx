import { badgeOf, type Course } from '@limber/contract/training/courses/course.ts'
import { completeTheme } from '@limber/contract/training/theme/theme.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { badgeMeaning, capitalize, NO_DESCRIPTION } from '../labels.ts'
import styles from '../training.module.css'
import { ReadinessLine } from './readiness.tsx'

interface Props {
  course: Course
  isSelected: boolean
  onSelect: () => void
  /** On the card of the selected course: opens its modules. */
  onModules: () => void
  onPreview: () => void
  onEdit: () => void
  onTheme: () => void
  onDelete: () => void
}

function Swatches({ course }: { course: Course }) {
  const { primaryColor, secondaryColor } = completeTheme(course.metadata.theme)
  return (
    <span className={styles.swatches} aria-hidden>
      <span style={{ background: primaryColor }} />
      <span style={{ background: secondaryColor }} />
    </span>
  )
}

/** One course with its readiness, counts and actions. */
export function CourseCard({ course, isSelected, onPreview, onEdit, onTheme, onDelete, ...on }: Props) {
  const badge = badgeOf(course)
  const figures = [
    ['Modules', course.moduleCount],
    ['Lessons', course.lessonCount],
    ['Hours', course.estimated_duration_hours ?? '--'],
    ['Level', capitalize(course.difficulty_level)],
  ] as const
  const action = { variant: 'subtle', color: 'gray', size: 'xs' } as const
  return (
    <li className={styles.card} data-selected={isSelected || undefined}>
      <article aria-label={course.title}>
        <div className={styles.cardBody}>
          <div className={styles.cardHead}>
            <StatusBadge meaning={badgeMeaning[badge]}>{badge}</StatusBadge>
            {course.is_required && <span className={styles.required}>Required</span>}
          </div>
          <h2 className={styles.cardTitle}>{course.title}</h2>
          <p className={styles.cardText} data-empty={!course.description || undefined}>
            {course.description ?? NO_DESCRIPTION}
          </p>
          <dl className={styles.figures}>
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <ReadinessLine course={course} />
        </div>
        <div className={styles.cardFoot}>
          {/* One button for both states, so that it keeps the focus. */}
          <Button
            className={styles.select ?? ''}
            variant="default"
            size="xs"
            aria-pressed={isSelected}
            aria-label={isSelected ? `Selected: open modules of ${course.title}` : `Select ${course.title}`}
            leftSection={isSelected && <Icon of={IconCheck} size={14} />}
            onClick={isSelected ? on.onModules : on.onSelect}
          >
            {isSelected ? 'Selected' : 'Select'}
          </Button>
          <Button {...action} onClick={onPreview} aria-label={`Preview ${course.title}`}>
            Preview
          </Button>
          <Button {...action} onClick={onEdit} aria-label={`Edit ${course.title}`}>
            Edit
          </Button>
          <Button
            {...action}
            onClick={onTheme}
            leftSection={<Swatches course={course} />}
            aria-label={`Edit theme of ${course.title}`}
          >
            Theme
          </Button>
          <ActionIcon className={styles.trash ?? ''} size={28} onClick={onDelete} aria-label={`Delete ${course.title}`}>
            <Icon of={IconTrash} />
          </ActionIcon>
        </div>
      </article>
    </li>
  )
}
