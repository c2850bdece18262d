import type { Course } from '@limber/contract/training/course.ts'
import { type KeyboardEvent, useRef } from 'react'
import styles from './training.module.css'
import type { TrainingTab } from './training-search.ts'

interface Props {
  tab: TrainingTab
  course: Course | undefined
  courses: number | undefined
  onOpen: (tab: TrainingTab) => void
}

/** Courses, Modules, Lessons, Analytics; the last three rest until a course is selected. */
export function TrainingTabs({ tab, course, courses, onOpen }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const entries: { tab: TrainingTab; title: string; count?: number | undefined }[] = [
    { tab: 'courses', title: 'Courses', count: courses },
    { tab: 'modules', title: 'Modules', count: course?.moduleCount },
    { tab: 'lessons', title: 'Lessons', count: course?.lessonCount },
    { tab: 'analytics', title: 'Analytics' },
  ]
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const open = [...(list.current?.querySelectorAll<HTMLButtonElement>('[role="tab"]:not(:disabled)') ?? [])]
    const at = open.indexOf(document.activeElement as HTMLButtonElement)
    const next = open[(at + step + open.length) % open.length]
    event.preventDefault()
    next?.focus()
    next?.click()
  }
  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label="Training" onKeyDown={walk}>
      {entries.map((entry) => (
        <button
          key={entry.tab}
          type="button"
          role="tab"
          id={`training-tab-${entry.tab}`}
          aria-controls={`training-panel-${entry.tab}`}
          aria-selected={entry.tab === tab}
          tabIndex={entry.tab === tab ? 0 : -1}
          disabled={entry.tab !== 'courses' && !course && entry.tab !== tab}
          className={styles.tab}
          onClick={() => onOpen(entry.tab)}
        >
          {entry.title}
          {entry.count !== undefined && <span className={styles.count}>{entry.count}</span>}
        </button>
      ))}
    </div>
  )
}
