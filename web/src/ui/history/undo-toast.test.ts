import { undoChange } from '@limber/contract/access/history/history.ts'
import { renameTag } from '@limber/contract/support/queues/tag.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { send } from '#platform/api/api.ts'
import { keepRequest } from '#platform/api/request.ts'
import { FakeServer } from '#platform/testing/testing.server.ts'
import { currentToasts, dismissAll } from '../feedback/toast-store.ts'
import { toastUndo } from './undo-toast.ts'

afterEach(dismissAll)

it('undoes the request that its message is about, when two of the same call overlap', async () => {
  const undone: unknown[] = []
  const second = Promise.withResolvers<void>()
  const server = new FakeServer()
    .answer(renameTag, async ({ params, body }) => {
      if (params.id === 1) await second.promise
      return { id: params.id, name: body.name, tickets: 0, version: 2 }
    })
    .answer(undoChange, ({ body }) => {
      undone.push(body)
      return { undone: 1 }
    })
  server.install()
  const rename = (id: number, name: string) =>
    send(renameTag, { params: { id: String(id) }, body: { name, version: 1 } })
  const slow = rename(1, 'slow')
  const fast = await rename(2, 'fast')
  second.resolve()
  await slow
  toastUndo('fast renamed.', fast)
  toastUndo('slow renamed.', await slow)
  for (const { action } of currentToasts()) action?.run()
  await vi.waitFor(() => expect(undone).toHaveLength(2))
  expect(undone).toEqual([{ request: 'r2' }, { request: 'r1' }])
})

it('withdraws the Undo of an earlier change to the same record only', async () => {
  const server = new FakeServer().answer(renameTag, ({ params, body }) => ({
    ...{ id: params.id, name: body.name, tickets: 0, version: 2 },
  }))
  server.install()
  const rename = async (id: number, name: string) => {
    server.changed = [`ticket_tag/${id}`]
    toastUndo(`${name} renamed.`, await send(renameTag, { params: { id: String(id) }, body: { name, version: 1 } }))
  }
  await rename(1, 'late')
  await rename(11, 'vip')
  await rename(1, 'later')
  expect(currentToasts().map(({ text, action }) => [text, action?.label])).toEqual([
    ['late renamed.', undefined],
    ['vip renamed.', 'Undo'],
    ['later renamed.', 'Undo'],
  ])
})

it('offers Undo for the reply or a record in it, and not for what is no reply', () => {
  const [lead, ticket] = [{ id: 1 }, { id: 2 }]
  keepRequest({ lead, isNew: true }, { id: 'r1', records: [] })
  toastUndo('Saved.', lead)
  expect(currentToasts().at(-1)?.action?.label).toBe('Undo')
  toastUndo('Closed.', ticket)
  expect(currentToasts().at(-1)?.action).toBeUndefined()
})
