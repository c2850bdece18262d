import { uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FakeServer, Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { EditorContext } from '../editors/editor-context.ts'
import { makeCourse } from '../training.testing.ts'
import { UploadLine } from './upload-line.tsx'
import { useUploads } from './use-uploads.ts'

const files = ['first.png', 'second.png'].map((name) => new File(['x'], name, { type: 'image/png' }))

function Place() {
  const uploads = useUploads()
  return (
    <>
      <button type="button" onClick={() => void uploads.upload(files, () => undefined)}>
        Drop
      </button>
      <UploadLine uploads={uploads} />
    </>
  )
}

it('lists every failed file, and clears the list for the next upload', async () => {
  const server = new FakeServer().answer(uploadAsset, new Refusal(413, 'too_large', 'Images can be at most 10 MB.'))
  const { user } = await renderScreen(
    <EditorContext value={{ course: makeCourse(), lessonId: 1 }}>
      <Place />
    </EditorContext>,
    { server },
  )
  const drop = () => user.click(screen.getByRole('button', { name: 'Drop' }))
  const failed = (name: string) => `Upload failed: ${name}: Images can be at most 10 MB.`
  await drop()
  expect(await screen.findByText(failed('second.png'))).toBeTruthy()
  expect(screen.getByText(failed('first.png'))).toBeTruthy()
  await drop()
  expect(await screen.findAllByText(failed('first.png'))).toHaveLength(1)
})
