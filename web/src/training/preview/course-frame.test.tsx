import { COURSE_CLASS } from '@limber/contract/training/lessons/content.ts'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { selectorHints } from '../theme/selector-hints.ts'
import { CourseFrame } from './course-frame.tsx'
import { inScope } from './style-guard.ts'

afterEach(cleanup)

async function showPage() {
  const { container } = render(
    <div>
      <CourseFrame title="Course" theme={null} styleTexts={[]}>
        <section className="portal-card">
          <button type="button" className="portal-button">
            Start
          </button>
          <div className="lesson-content">Hold.</div>
        </section>
      </CourseFrame>
    </div>,
  )
  const page = () => container.querySelector('iframe')?.contentDocument?.body
  await waitFor(() => expect(page()?.textContent).toContain('Hold.'))
  return page() as HTMLElement
}

it.each(selectorHints)('$selector matches as typed and as saved with the course class', async ({ selector }) => {
  const page = await showPage()
  const reached = page.querySelectorAll(`.${COURSE_CLASS} ${selector}`)
  expect(reached).toHaveLength(1)
  expect(page.querySelectorAll(selector)).toHaveLength(1)
})

it.each([
  ['.course-content .portal-card, h1', ':scope .portal-card, h1'],
  ['.course-content', ':scope'],
  ['.course-content-like p', '.course-content-like p'],
  ['.lesson-content p::before', '.lesson-content p::before'],
])('maps the course class in %s to the root of its styles', (saved, inside) => {
  expect(inScope(saved, `.${COURSE_CLASS}`)).toBe(inside)
})
