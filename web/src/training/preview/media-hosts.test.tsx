import { listCourses } from '@limber/contract/training/courses/course.ts'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeCourse, serveTraining } from '../training.testing.ts'
import { CourseFrame } from './course-frame.tsx'
import { setMediaHosts } from './media-hosts.ts'
import { isShownFile } from './render-markup.ts'

afterEach(() => {
  cleanup()
  setMediaHosts([])
})

const shown = (address: string) => ['img', 'video', 'audio'].map((tag) => isShownFile(address, tag))
const video = 'https://media.example.com/hip.mp4'

it('shows media only from the hosts the server lists', async () => {
  const { server } = serveTraining()
  const pagination = { page: 1, limit: 500, totalItems: 1, totalPages: 1 }
  server.answer(listCourses, () => ({ data: [makeCourse()], pagination, mediaHosts: ['media.example.com'] }))
  expect(shown(video)).toEqual([false, false, false])
  await renderScreen(<Training />, { server, path: '/worker/managing/training?preview=hip_basics' })
  const frame = await screen.findByTitle<HTMLIFrameElement>('Course')
  await waitFor(() =>
    expect(frame.getAttribute('srcdoc')).toContain("img-src 'self' data: blob: https://media.example.com"),
  )
  expect(shown(video)).toEqual([true, true, true])
  for (const other of [
    'https://media.example.com.evil.example/x.png',
    'http://media.example.com/x.png',
    '//media.example.com/x',
  ])
    expect(shown(other)).toEqual([false, false, false])
})

it('ignores a host that would add to the content security policy of the frame', () => {
  setMediaHosts(["media.example.com; script-src 'unsafe-inline'"])
  const { container } = render(
    <div>
      <CourseFrame title="Course" theme={null} styleTexts={[]}>
        Hold.
      </CourseFrame>
    </div>,
  )
  expect(container.querySelector('iframe')?.getAttribute('srcdoc')).not.toContain('unsafe-inline')
})
