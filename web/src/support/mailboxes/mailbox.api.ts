import type { InputOf } from '@limber/contract/kit/call.ts'
import { makeForwardingAddress } from '@limber/contract/support/mailboxes/forwarding.ts'
import {
  checkMailbox,
  createMailbox,
  deleteMailbox,
  listMailboxes,
  type Mailbox,
  updateMailbox,
} from '@limber/contract/support/mailboxes/mailbox.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The live topic `mailboxes` refreshes it. */
export const mailboxesKey = ['support', 'mailboxes']

export const mailboxesQuery = queryOptions({
  queryKey: mailboxesKey,
  queryFn: ({ signal }) => send(listMailboxes, {}, { signal }),
})

function useChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: mailboxesKey }),
  })
}

export type MailboxInput = InputOf<typeof createMailbox>['body']

const save = (base: Pick<Mailbox, 'id' | 'version'> | undefined, body: MailboxInput) =>
  base
    ? send(updateMailbox, { params: { id: String(base.id) }, body: { ...body, version: base.version } })
    : send(createMailbox, { body })

/** Adds a mailbox, or changes the one with this id and version. */
export const useSaveMailbox = (
  base: Pick<Mailbox, 'id' | 'version'> | undefined,
  onSaved: (mailbox: Mailbox) => void,
) =>
  useChange(async (body: MailboxInput) => {
    const saved = await save(base, body)
    onSaved(saved)
    return saved
  })

export const useMakeForwardingAddress = () =>
  useChange((id: number) => send(makeForwardingAddress, { params: { id: String(id) } }))

export const useDeleteMailbox = () => useChange((id: number) => send(deleteMailbox, { params: { id: String(id) } }))

export const useCheckMailbox = () =>
  useMutation({ mutationFn: (body: InputOf<typeof checkMailbox>['body']) => send(checkMailbox, { body }) })
