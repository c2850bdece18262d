import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Theme } from '@limber/contract/training/theme/theme.ts'
import { useDeferredValue } from 'react'
import { CourseFrame } from '../preview/course-frame.tsx'

/** A sample lesson with the current theme. */
export function ThemePreview({ course, theme, height }: { course: Course; theme: Theme; height: number }) {
  const shown = useDeferredValue(theme)
  return (
    <CourseFrame
      title="Theme preview"
      theme={shown}
      // The order of a saved course: its own stylesheet comes last.
      styleTexts={[shown.customCSS, course.trainingStylesheet]}
      height={height}
    >
      <div className="page">
        <p className="trail">Module 1 of {Math.max(1, course.moduleCount)} · Lesson 1 of 6</p>
        <div className="track" aria-hidden>
          <span style={{ width: '40%' }} />
        </div>
        <h2>{course.title}</h2>
        <div className="lesson-content">
          <p>
            Stand at the side of the raised leg. One hand supports the heel, the other rests above the knee. Move only
            as far as the customer breathes easily, then hold for 20 to 30 seconds.
          </p>
        </div>
        <div className="portal-card">
          <h3>Check your understanding</h3>
          <p className="note">Quiz, 5 questions, 70% to pass</p>
          <div className="row start">
            <button type="button" className="portal-button">
              Start
            </button>
            <button type="button" className="portal-button quiet">
              Later
            </button>
          </div>
        </div>
      </div>
    </CourseFrame>
  )
}
