import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course, Readiness } from '@limber/contract/training/courses/course.ts'
import { Popover, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { useLayer } from '#ui/dialog/layers.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { courseKey, readinessQuery } from '../training.api.ts'
import styles from '../training.module.css'
import type { TrainingSearch } from '../training-search.ts'
import { placeOf } from './readiness-place.ts'

interface ListProps extends Pick<Readiness, 'items'> {
  course: Course
  /** Called before following a link if that would discard changes. */
  mayLeave?: () => Promise<boolean>
  onFollow?: () => void
}

/** The readiness checklist; each item links to the place where it can be fixed. */
export function ReadinessList({ course, items, mayLeave, onFollow }: ListProps) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const follow = async (event: MouseEvent, search: Partial<TrainingSearch>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (mayLeave && !(await mayLeave())) return
    void cache.invalidateQueries({ queryKey: courseKey(course.course_key) })
    onFollow?.()
    void navigate({ to: '.', search })
  }
  return (
    <ul className={styles.checklist} aria-label="Readiness checklist">
      {items.map((item) => (
        <li key={`${item.kind}-${item.module_key}-${item.lesson_id}-${item.text}`}>
          <Icon of={IconAlertTriangle} size={14} />
          <Link
            to="."
            search={placeOf(course.course_key, item)}
            preload={false}
            onClick={(event) => void follow(event, placeOf(course.course_key, item))}
          >
            {item.text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface PopoverProps extends Pick<Readiness, 'items'> {
  course: Course
}

function ReadinessPopover({ course, items }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  // Escape closes it even if the focus is elsewhere, for example after the card scrolled out of view.
  useLayer(isOpen, () => setOpen(false))
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={320}
      position="bottom-start"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
      closeOnEscape={false}
    >
      <Popover.Target>
        <UnstyledButton className={styles.ready ?? ''} data-warns onClick={() => setOpen(!isOpen)}>
          <Icon of={IconAlertTriangle} size={14} />
          {items.length === 1 ? items[0]?.text : `${items.length} things to fix`}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Readiness of ${course.title}`}>
        <ReadinessList course={course} items={items} onFollow={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The checklist as one line next to the badge; a click opens the full list. */
export function ReadinessLine({ course }: { course: Course }) {
  const { data } = useQuery({ ...readinessQuery(course.course_key), enabled: course.moduleCount > 0 })
  if (course.moduleCount === 0)
    return (
      <p className={styles.ready}>
        <Icon of={IconCircleDashed} size={14} />
        Nothing to check yet
      </p>
    )
  if (!data) return <p className={styles.ready}>&nbsp;</p>
  if (data.items.length === 0)
    return (
      <p className={styles.ready}>
        <Icon of={IconCircleCheck} size={14} />
        All {pluralize(course.lessonCount, 'lesson')} complete
      </p>
    )
  return <ReadinessPopover course={course} items={data.items} />
}
