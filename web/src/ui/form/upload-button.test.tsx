import { defineCall } from '@limber/contract/kit/call.ts'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { send } from '#platform/api/api.ts'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { UploadButton } from './upload-button.tsx'

const attach = defineCall({
  method: 'POST',
  path: '/api/assets',
  summary: 'Upload files',
  permission: 'training.manage',
  bodyType: 'multipart',
  body: z.any(),
  reply: z.object({ count: z.int() }),
})
const file = new File(['words'], 'list.txt', { type: 'text/plain' })
const input = () => screen.getByLabelText('Upload', { selector: 'input' })

function show(server: FakeServer, onDone = vi.fn()) {
  const button = (
    <UploadButton
      upload={(files, options) => send(attach, { body: { files } }, options)}
      onDone={onDone}
      limit={1_000_000}
      failure="Failed to upload file(s)."
    />
  )
  return renderScreen(button, { server })
}

describe('the upload button', () => {
  it('shows its label, the progress, and finishes', async () => {
    let finish = () => {}
    const onDone = vi.fn()
    const server = new FakeServer().answer(
      attach,
      () => new Promise((resolve) => (finish = () => resolve({ count: 1 }))),
    )
    const { user } = await show(server, onDone)
    await user.upload(input(), file)
    expect(await screen.findByRole('button', { name: 'Uploading...' })).toHaveProperty('disabled', true)
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50'))
    finish()
    expect(await screen.findByRole('button', { name: 'Upload' })).toBeTruthy()
    expect(onDone).toHaveBeenCalledOnce()
  })

  it("shows a failure with the server's message", async () => {
    const { user } = await show(new FakeServer().answer(attach, new Refusal(415, 'wrong_type', 'Only text is taken.')))
    await user.upload(input(), file)
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to upload file(s). Only text is taken.')
  })

  it('can be canceled without an error', async () => {
    const { user } = await show(new FakeServer().answer(attach, () => new Promise(() => {})))
    await user.upload(input(), file)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Upload' })).toBeTruthy())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('rejects a file that is too large before sending it', async () => {
    const server = new FakeServer()
    const { user } = await show(server)
    await user.upload(input(), new File([new Uint8Array(1_000_001)], 'video.mp4'))
    expect((await screen.findByRole('alert')).textContent).toBe('video.mp4 is larger than 1 MB.')
    expect(server.callCount(attach)).toBe(0)
  })
})
