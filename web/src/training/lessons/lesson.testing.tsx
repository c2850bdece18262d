import { createLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { screen, within } from '@testing-library/react'
import { type FakeServer, renderScreen } from '#platform/testing/testing.tsx'
import Training from '../training.screen.tsx'
import { makeLesson, serveTraining } from '../training.testing.ts'

const path = '/worker/managing/training?course=hip_basics&tab=lessons'
/** The lesson form loads its editors lazily. */
export const SLOW = { timeout: 15_000 }
/** The bodies of all calls that were sent. */
export const sent = (server: FakeServer, call: unknown) =>
  server.requests.flatMap((one) => (one.call === call ? [one.body as Record<string, unknown>] : []))
const saved = (server: FakeServer) =>
  server
    .answer(createLesson, ({ body }) => ({ success: true, data: makeLesson(body as object), notes: [] }))
    .answer(updateLesson, ({ body }) => ({ success: true, data: makeLesson(body as object), notes: [] }))

/** Opens the form of a lesson, or of a new one. */
export async function openForm(of: Parameters<typeof serveTraining>[0], lesson?: number) {
  const { server } = serveTraining(of)
  saved(server)
  const view = await renderScreen(<Training />, { server, path: lesson ? `${path}&lesson=${lesson}` : path })
  if (!lesson) await view.user.click(await screen.findByRole('button', { name: 'Create Lesson' }))
  await screen.findByRole('combobox', { name: /Content type/ }, SLOW)
  const form = screen.getByRole('dialog', { name: lesson ? 'Edit Lesson' : 'Create Lesson' })
  const type = within(form).getByRole<HTMLSelectElement>('combobox', { name: /Content type/ })
  const submit = () =>
    view.user.click(within(form).getByRole('button', { name: lesson ? 'Update Lesson' : 'Create Lesson' }))
  return { ...view, server, form: within(form), type, submit }
}
