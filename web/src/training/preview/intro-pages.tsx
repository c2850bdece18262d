import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Course } from '@limber/contract/training/courses/course.ts'
import { useEffect, useRef } from 'react'
import { NO_DESCRIPTION } from '../labels.ts'
import type { ModuleLessons, Place } from './navigation.ts'

/** Each page starts with focus on its heading, for scroll position and screen readers. */
export function PageTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.ownerDocument.defaultView?.scrollTo?.(0, 0)
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

interface CourseProps {
  course: Course
  modules: readonly ModuleLessons[]
  onStart: () => void
  onOpen: (place: Place) => void
}

/** The start page: the contents of the course. */
export function CoursePage({ course, modules, onStart, onOpen }: CourseProps) {
  const lessons = modules.reduce((sum, moduleLessons) => sum + moduleLessons.lessons.length, 0)
  return (
    <main className="page">
      <PageTitle>{course.title}</PageTitle>
      <p>{course.description ?? NO_DESCRIPTION}</p>
      <p className="note">
        {pluralize(modules.length, 'module')}, {pluralize(lessons, 'lesson')}
        {course.estimated_duration_hours !== null && `, ${pluralize(course.estimated_duration_hours, 'hour')}`}
      </p>
      <div className="row start">
        <button type="button" className="portal-button" onClick={onStart}>
          Start Course
        </button>
      </div>
      <ul className="cards" aria-label="Modules">
        {modules.map(({ module, lessons: own }, index) => (
          <li key={module.module_key} className="portal-card">
            <div>
              <h2>{module.title}</h2>
              <p className="note">
                {pluralize(own.length, 'lesson')}
                {module.is_active ? '' : ' · Inactive: hidden from learners'}
              </p>
            </div>
            <button
              type="button"
              className="portal-button quiet"
              disabled={own.length === 0}
              aria-label={`Open ${module.title}`}
              onClick={() => onOpen({ page: 'module', module: index })}
            >
              Open
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}

interface ModuleProps {
  moduleLessons: ModuleLessons
  number: number
  count: number
  onBack: () => void
  onStart: () => void
}

/** The page before the lessons of a module. */
export function ModulePage({ moduleLessons: { module, lessons }, number, count, onBack, onStart }: ModuleProps) {
  return (
    <main className="page">
      <p className="trail">{`Module ${number} of ${count}`}</p>
      <PageTitle>{module.title}</PageTitle>
      <p>{module.description ?? NO_DESCRIPTION}</p>
      <p className="note">
        {pluralize(lessons.length, 'lesson')}
        {module.estimated_duration_minutes !== null &&
          `, about ${pluralize(module.estimated_duration_minutes, 'minute')}`}
      </p>
      <div className="row">
        <button type="button" className="portal-button quiet" onClick={onBack}>
          Back to Course
        </button>
        <button type="button" className="portal-button" onClick={onStart}>
          Start Module
        </button>
      </div>
    </main>
  )
}
