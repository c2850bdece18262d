import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import {
  allowImages,
  listDraftFiles,
  removeTicketFile,
  uploadTicketFile,
} from '@limber/contract/support/files/ticket-file.ts'
import { respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { makeMessage, makeTicket, serveTickets } from '../tickets/ticket.testing.ts'
import Tickets from '../tickets/tickets.screen.tsx'

const file: TicketFile = {
  id: 9,
  filename: 'receipt.pdf',
  type: 'application/pdf',
  bytes: 48_211,
  width: null,
  height: null,
  role: 'attachment',
  state: 'ready',
}
const picture: TicketFile = { ...file, id: 10, filename: 'knee.png', type: 'image/png', width: 200, height: 100 }

async function open(...messages: Parameters<typeof makeMessage>) {
  const ticket = makeTicket({ messages: messages.map((more) => makeMessage(more)) })
  const desk = serveTickets(ticket)
  const sent: object[] = []
  desk.server.answer(respondToTicket, ({ params, body }) => {
    sent.push(body)
    return desk.put({ ...desk.find(params.id), version: 2 })
  })
  const view = await renderScreen(<Tickets />, { server: desk.server, path: `/support/tickets?ticket=${ticket.id}` })
  await screen.findByRole('heading', { name: ticket.subject })
  return { ...desk, ...view, sent }
}
const make = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name)
const box = () => screen.getByPlaceholderText('Type your response...')
const choose = () => screen.getByLabelText<HTMLInputElement>('Files')

describe('the files of a message', () => {
  it('show pictures, and say why others cannot be opened', async () => {
    const infected = { ...file, id: 11, filename: 'bill.exe', state: 'infected' } as const
    await open({ files: [file, picture, infected] })
    const image = await screen.findByAltText<HTMLImageElement>('knee.png')
    expect(image.getAttribute('src')).toBe('/api/support/files/10')
    expect(screen.getByRole('button', { name: 'receipt.pdf' })).toBeTruthy()
    expect(screen.getByLabelText('Download receipt.pdf').getAttribute('href')).toBe('/api/support/files/9?download=1')
    expect(screen.getByText('Not stored: the virus scanner found a virus')).toBeTruthy()
    expect(screen.queryByLabelText('Download bill.exe')).toBeNull()
  })

  it('are in place in the text of an email, and its HTML is a choice', async () => {
    const checks = { spf: null, dkim: null, dmarc: null }
    const html = { isOnly: false, hasRemote: true, showsRemote: false }
    const email = { kind: 'message', isSpam: false, ...checks, quoted: '', html } as const
    const content = 'Before [image: knee.png] after'
    const { user, server } = await open({ id: 5, content, email, files: [{ ...picture, role: 'inline' }] })
    expect(await screen.findByText('Before')).toBeTruthy()
    expect(screen.getByText('after')).toBeTruthy()
    expect(screen.getAllByAltText('knee.png')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'Show with formatting' }))
    const frame = await screen.findByTitle<HTMLIFrameElement>('Email')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-scripts')
    expect(frame.getAttribute('src')).toBe('/api/support/messages/5/html')
    const asked: object[] = []
    server.answer(allowImages, ({ body }) => {
      asked.push(body)
      return { isAllowed: body.isAllowed }
    })
    await user.click(screen.getByRole('button', { name: 'Load images of this sender' }))
    await waitFor(() => expect(asked).toEqual([{ messageId: 5, isAllowed: true }]))
  })
})

describe('files in the reply box', () => {
  it('are uploaded, can be removed, and leave with the reply', async () => {
    const { user, server, sent } = await open({})
    let id = 20
    server.answer(uploadTicketFile, () => ({ ...file, id: ++id }))
    server.answer(removeTicketFile, { success: true })
    await user.upload(choose(), [make('one.pdf'), make('two.pdf')])
    await user.click(await screen.findByRole('button', { name: 'Remove one.pdf' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove one.pdf' })).toBeNull())
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
    await user.type(box(), 'Here it is.')
    await user.click(screen.getByRole('button', { name: 'Send Response' }))
    await waitFor(() => expect(sent).toMatchObject([{ message: 'Here it is.', files: [expect.any(Number)] }]))
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull())
  })

  it('say what is wrong, in words', async () => {
    const { user } = await open({})
    await user.upload(choose(), [make('large.zip', 26 * 1024 * 1024), make('empty.txt', 0)])
    expect(await screen.findByText(/at most 25 MB together\. This one has 27\.3 MB/)).toBeTruthy()
    expect(screen.getByText('The file is empty.')).toBeTruthy()
  })

  it('are there again after leaving the ticket', async () => {
    const ticket = makeTicket()
    const desk = serveTickets(ticket)
    desk.server.answer(listDraftFiles, [file])
    await renderScreen(<Tickets />, { server: desk.server, path: `/support/tickets?ticket=${ticket.id}` })
    expect(await screen.findByRole('button', { name: 'Remove receipt.pdf' })).toBeTruthy()
  })
})
