// @module-tag slow
import {
  type Asset,
  type AssetType,
  acceptByType,
  bulkUploadAssets,
  deleteAsset,
  listAssets,
  readAssetUsage,
  uploadAsset,
} from '@limber/contract/training/assets/asset.ts'
import { defaultContent } from '@limber/contract/training/lessons/content.ts'
import { createLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal } from '#platform/testing/testing.tsx'
import { makeLesson, makeModule } from '../training.testing.ts'
import { openForm, SLOW, sent } from './lesson.testing.tsx'

describe('the lesson form', () => {
  it('requires key, title and module, and sends the defaults of the specification', async () => {
    const modules = [makeModule(), makeModule({ id: 2, module_key: 'practice', title: 'Practice', position: 1 })]
    const { user, server, form, submit } = await openForm({ modules })
    await submit()
    expect(form.getByText('Lesson key is required.')).toBeTruthy()
    expect(form.getByText('Title is required.')).toBeTruthy()
    expect(form.getByText('Module is required.')).toBeTruthy()
    await user.type(form.getByRole('textbox', { name: /Lesson key/ }), 'Hold The Heel')
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'hold the heel')
    await user.selectOptions(form.getByRole('combobox', { name: /^Module/ }), 'practice')
    await submit()
    expect(await screen.findByText('Lesson created successfully')).toBeTruthy()
    expect(sent(server, createLesson)[0]).toMatchObject({
      course_key: 'hip_basics',
      module_key: 'practice',
      lesson_key: 'hold_the_heel',
      title: 'Hold The Heel',
      content_type: 'text',
      content_data: defaultContent('text'),
      is_required: true,
      is_active: true,
      max_attempts: 3,
    })
  })

  it('starts a copy with everything except the key', async () => {
    const content_data = { ...defaultContent('audio'), transcript: 'Breathe.' }
    const lessons = [
      makeLesson({ content_type: 'audio', content_data }),
      makeLesson({ id: 12, lesson_key: 'joints_copy', title: 'Other' }),
    ]
    const { user, server } = await openForm({ lessons }, 11)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Duplicate Joints' }))
    await screen.findByDisplayValue('Breathe.', {}, SLOW)
    const copy = within(screen.getByRole('dialog', { name: 'Create Lesson' }))
    await user.click(copy.getByRole('button', { name: 'Create Lesson' }))
    await screen.findByText('Lesson created successfully')
    expect(sent(server, createLesson)[0]).toMatchObject({
      course_key: 'hip_basics',
      module_key: 'anatomy',
      lesson_key: 'joints_copy_2',
      title: 'Joints Copy',
      content_type: 'audio',
      content_data: { transcript: 'Breathe.' },
    })
  })

  it('locks the key, offers prerequisites of the same module and references of any, but not the lesson itself', async () => {
    const lessons = [
      makeLesson({ prerequisites: [12] }),
      makeLesson({ id: 12, lesson_key: 'bones', title: 'Bones' }),
      makeLesson({ id: 13, lesson_key: 'exam', title: '', module_key: 'practice' }),
    ]
    const modules = [makeModule(), makeModule({ id: 2, module_key: 'practice', title: 'Practice', position: 1 })]
    const { user, server, form, submit } = await openForm({ lessons, modules }, 11)
    expect(form.getByRole<HTMLInputElement>('textbox', { name: /Lesson key/ }).disabled).toBe(true)
    const offered = (group: RegExp) =>
      within(form.getByRole('group', { name: group }))
        .queryAllByRole('checkbox')
        .map((box) => box.closest('label')?.textContent)
    expect(offered(/Prerequisites/)).toEqual(['Bones (anatomy)'])
    expect(offered(/References/)).toEqual(['Bones (anatomy)', 'Lesson 13'])
    await user.click(form.getByRole('checkbox', { name: 'Lesson 13' }))
    await user.selectOptions(form.getByRole('combobox', { name: /^Module/ }), 'practice')
    expect(offered(/Prerequisites/)).toEqual(['Lesson 13'])
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]).toMatchObject({ prerequisites: [], references: [13], module_key: 'practice' })
  })

  it('resets the attempts to the default when emptied, and clears the other numbers', async () => {
    const lessons = [makeLesson({ max_attempts: 5, passing_score: 80, duration_minutes: 12 })]
    const { user, server, form, submit } = await openForm({ lessons }, 11)
    for (const name of [/Max attempts/, /Passing score/, /Duration/])
      await user.clear(form.getByRole('textbox', { name }))
    await submit()
    await screen.findByText('Lesson updated successfully')
    const cleared = { max_attempts: 3, passing_score: null, duration_minutes: null }
    expect(sent(server, updateLesson)[0]).toMatchObject(cleared)
  })

  it('leaves attempts and passing score to the settings of the quiz', async () => {
    const { user, form, type } = await openForm({})
    expect(form.getByRole('textbox', { name: /Passing score/ })).toBeTruthy()
    await user.selectOptions(type, 'quiz')
    expect(await form.findByText('No questions added yet.', {}, SLOW)).toBeTruthy()
    expect(form.getAllByRole('textbox', { name: /Passing score/ })).toHaveLength(1)
    expect(form.getByRole<HTMLInputElement>('textbox', { name: /Max attempts/ }).value).toBe('3')
  })

  it('is not submitted by Ctrl-Enter or Enter in a nested editor', async () => {
    const { user, server, form, type } = await openForm({})
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'steps')
    await user.selectOptions(type, 'interactive')
    await user.selectOptions(await form.findByRole('combobox', { name: 'Exercise' }, SLOW), 'order_steps')
    await user.click(form.getByRole('button', { name: 'Add step' }))
    await user.keyboard('Greet{Enter}Look')
    expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Step 2' }).value).toBe('Look')
    await user.selectOptions(type, 'quiz')
    await user.click(await screen.findByRole('button', { name: 'Change type' }))
    await user.click(await form.findByRole('button', { name: 'Configure Quiz Questions' }, SLOW))
    const builder = within(await screen.findByRole('dialog', { name: 'Configure Quiz Questions' }))
    await user.type(builder.getByRole('textbox', { name: /^Question/ }), 'Which?')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(builder.getByRole('list', { name: 'Questions' })).toBeTruthy()
    expect(sent(server, createLesson)).toEqual([])
  })

  it('shows where the refused content is, and keeps what was typed', async () => {
    const lessons = [makeLesson({ content_type: 'audio' })]
    const { user, server, form, submit } = await openForm({ lessons }, 11)
    server.answer(updateLesson, new Refusal(422, 'bad_link', 'The link "javascript:x" is not allowed.'))
    await user.type(await form.findByRole('textbox', { name: 'Transcript' }, SLOW), 'Breathe')
    await submit()
    expect(await form.findByText('Failed to update lesson: The link "javascript:x" is not allowed.')).toBeTruthy()
    expect(form.getByRole<HTMLTextAreaElement>('textbox', { name: 'Transcript' }).value).toBe('Breathe')
  })
})

describe('changing the content type', () => {
  const text = { ...defaultContent('text'), trainingLessonContent: 'Hold.' }

  it('asks before it deletes content', async () => {
    const { user, server, type, submit } = await openForm({ lessons: [makeLesson({ content_data: text })] }, 11)
    await user.selectOptions(type, 'audio')
    const question = await screen.findByRole('alertdialog', { name: 'Change the content type to Audio?' })
    expect(question.textContent).toContain('The text content of this lesson will be deleted.')
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(type.value).toBe('text')
    await user.selectOptions(type, 'audio')
    await user.click(await screen.findByRole('button', { name: 'Change type' }))
    await waitFor(() => expect(type.value).toBe('audio'))
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]).toMatchObject({
      content_type: 'audio',
      content_data: defaultContent('audio'),
    })
  })
})

const makeAsset = (more: Partial<Asset> = {}): Asset => ({
  id: 1,
  type: 'image',
  filename: 'hip.png',
  url: `/api/training/files/${'a'.repeat(26)}.png`,
  course_key: 'hip_basics',
  lesson_id: null,
  metadata: {
    finalSize: 2560,
    originalSize: 5000,
    mimeType: 'image/png',
    quality: 'high',
    width: 10,
    height: 10,
    duration: null,
    pages: null,
  },
  usedIn: 0,
  uploaded_by: 'Priya Raman',
  created_at: '2026-11-01T09:00:00.000Z',
  ...more,
})
const fileOf = (name: string) => new File(['x'], name, { type: 'image/png' })
const inputFor = (kind: AssetType) =>
  document.querySelector<HTMLInputElement>(`input[type=file][accept="${acceptByType[kind]}"]`) as HTMLInputElement

describe('lesson files', () => {
  const listed = (assets: Asset[]) => ({
    success: true as const,
    assets,
    pagination: { page: 1, limit: 50, totalItems: assets.length, totalPages: 1 },
  })
  async function openFiles(assets: Asset[] | Refusal) {
    const opened = await openForm({}, 11)
    opened.server.answer(listAssets, assets instanceof Refusal ? assets : listed(assets))
    await opened.user.click(await opened.form.findByRole('button', { name: 'Insert file' }, SLOW))
    const library = await screen.findByRole('dialog', { name: 'Course files' })
    return { ...opened, library: within(library) }
  }

  it('are listed with their size in KB, and inserted at the cursor as markdown', async () => {
    const { user, library, server, submit } = await openFiles([makeAsset()])
    expect(await library.findByText('image, 3 KB, not used')).toBeTruthy()
    await user.click(library.getByRole('button', { name: 'Insert hip.png' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Course files' })).toBeNull())
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]).toMatchObject({
      content_data: { trainingLessonContent: `![hip.png](${makeAsset().url})\n` },
    })
  })

  it('show their uses before they are deleted', async () => {
    const { user, library, server } = await openFiles([makeAsset({ usedIn: 1 })])
    server
      .answer(readAssetUsage, {
        data: [
          {
            course_key: 'hip_basics',
            course_title: 'Hip Basics',
            module_key: 'anatomy',
            module_title: 'Anatomy',
            lesson_id: 11,
            lesson_title: 'Joints',
            isLive: true,
          },
        ],
      })
      .answer(deleteAsset, { success: true, data: { asset_id: 1, usedIn: 1 } })
    await user.click(await library.findByRole('button', { name: 'Delete hip.png' }))
    const question = await screen.findByRole('alertdialog', { name: 'Delete hip.png?' })
    expect(question.textContent).toContain('Hip Basics, Joints (in production)')
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Asset deleted successfully')).toBeTruthy()
    expect(sent(server, deleteAsset)[0]).toEqual({ asset_id: 1, even_if_used: true })
  })

  it('are not deleted if their uses cannot be checked, and say so', async () => {
    const { user, library, server } = await openFiles([makeAsset({ usedIn: 1 })])
    server.answer(readAssetUsage, new Refusal(500, 'broken', 'Something went wrong.'))
    await user.click(await library.findByRole('button', { name: 'Delete hip.png' }))
    expect(await library.findByText(/Something went wrong\./)).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(sent(server, deleteAsset)).toEqual([])
  })

  it('show a load error, and load on retry', async () => {
    const { user, library, server } = await openFiles(new Refusal(500, 'broken', 'The drawer is stuck.'))
    expect(await library.findByText('Failed to load files: The drawer is stuck.')).toBeTruthy()
    expect(library.queryByText('No files yet')).toBeNull()
    server.answer(listAssets, listed([makeAsset()]))
    await user.click(library.getByRole('button', { name: 'Retry' }))
    expect(await library.findByText('image, 3 KB, not used')).toBeTruthy()
  })

  it('are searched from the first page', async () => {
    const { user, library, server } = await openFiles([makeAsset()])
    server.answer(listAssets, ({ body }) => ({
      success: true,
      assets: body.page === 1 || (!body.search && !body.type) ? [makeAsset()] : [],
      pagination: { page: body.page ?? 1, limit: 50, totalItems: 51, totalPages: 2 },
    }))
    await user.type(library.getByRole('searchbox', { name: 'Find files' }), 'h')
    const last = () => sent(server, listAssets).at(-1)
    for (const find of [
      () => user.type(library.getByRole('searchbox', { name: 'Find files' }), 'i'),
      () => user.selectOptions(library.getByRole('combobox', { name: 'File type' }), 'image'),
    ]) {
      await user.click(await library.findByRole('button', { name: 'Next page' }))
      await waitFor(() => expect(last()).toMatchObject({ page: 2 }))
      await find()
      await waitFor(() => expect(last()).toMatchObject({ page: 1 }))
    }
  })

  it('are uploaded in bulk, with a result for each', async () => {
    const { user, library, server } = await openFiles([])
    server.answer(bulkUploadAssets, {
      success: false,
      error: 'b.svg: no',
      assets: [makeAsset()],
      results: [
        { filename: 'a.png', success: true, error: null, asset: makeAsset() },
        { filename: 'b.svg', success: false, error: 'This file type is not supported.', asset: null },
      ],
    })
    const input = library.getByLabelText<HTMLInputElement>('Upload', { selector: 'input' })
    await user.upload(input, [fileOf('a.png'), fileOf('b.png')])
    expect(await library.findByText(/1 file uploaded, 1 failed:/)).toBeTruthy()
    expect(library.getByText('a.png: uploaded')).toBeTruthy()
    expect(library.getByText('b.svg: This file type is not supported.')).toBeTruthy()
  })

  it('show in red which files failed and why when all failed', async () => {
    const { user, library, server } = await openFiles([])
    const error = 'This file type is not supported.'
    server.answer(bulkUploadAssets, {
      success: false,
      error: `a.svg: ${error} b.svg: ${error}`,
      assets: [],
      results: ['a.svg', 'b.svg'].map((filename) => ({ filename, success: false, error, asset: null })),
    })
    const input = library.getByLabelText<HTMLInputElement>('Upload', { selector: 'input' })
    await user.upload(input, [fileOf('a.png'), fileOf('b.png')])
    const alert = await library.findByRole('alert')
    expect(alert.textContent).toBe(`Failed to upload file(s):a.svg: ${error}b.svg: ${error}`)
    expect(alert.getAttribute('data-kind')).toBe('red')
  })

  it('are not sent if they are too large or too many', async () => {
    const { user, library, server } = await openFiles([])
    const upload = (files: File[]) =>
      user.upload(library.getByLabelText<HTMLInputElement>('Upload', { selector: 'input' }), files)
    const video = new File(['x'], 'long.mp4', { type: 'video/mp4' })
    Object.defineProperty(video, 'size', { value: 500 * 1024 * 1024 + 1 })
    await upload([video])
    expect(await library.findByText('Upload failed: Videos can be at most 500 MB.')).toBeTruthy()
    await upload(Array.from({ length: 21 }, (_, n) => fileOf(`${n}.png`)))
    expect(await library.findByText('Failed to upload file(s): You can upload at most 20 files at once.')).toBeTruthy()
    await upload([video, video])
    expect(await library.findAllByText('long.mp4: Videos can be at most 500 MB.')).toHaveLength(2)
    expect(server.callCount(uploadAsset) + server.callCount(bulkUploadAssets)).toBe(0)
  })

  it('show in one line why an upload failed', async () => {
    const { user, library, server } = await openFiles([])
    server.answer(uploadAsset, new Refusal(413, 'too_large', 'Images can be at most 10 MB.'))
    await user.upload(library.getByLabelText<HTMLInputElement>('Upload', { selector: 'input' }), fileOf('a.png'))
    expect(await library.findByText('Upload failed: Images can be at most 10 MB.')).toBeTruthy()
  })

  it('are offered by extension where a browser uses another type name', async () => {
    const { user, server, form, type } = await openForm({}, 11)
    const url = `/api/training/files/${'d'.repeat(26)}.ogg`
    server.answer(uploadAsset, { success: true, asset: makeAsset({ type: 'audio', filename: 'breath.ogg', url }) })
    await user.selectOptions(type, 'audio')
    const field = await form.findByRole<HTMLInputElement>('textbox', { name: 'Audio' }, SLOW)
    await user.upload(inputFor('audio'), new File(['x'], 'breath.ogg', { type: 'application/ogg' }))
    await waitFor(() => expect(field.value).toBe(url))
  })

  it('fill in the length of a video and the language of its subtitles', async () => {
    const { user, server, form, type, submit } = await openForm({}, 11)
    const video = makeAsset({ type: 'video', filename: 'hip.mp4', url: `/api/training/files/${'b'.repeat(26)}.mp4` })
    video.metadata = { ...video.metadata, duration: 61.4 }
    server.answer(uploadAsset, { success: true, asset: video })
    await user.selectOptions(type, 'video')
    await form.findByRole('textbox', { name: 'Video' }, SLOW)
    await user.upload(inputFor('video'), new File(['x'], 'hip.mp4', { type: 'video/mp4' }))
    expect(await form.findByText('1:01')).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Add subtitles' }))
    const subtitles = makeAsset({
      type: 'other',
      filename: 'hip.es.vtt',
      url: `/api/training/files/${'c'.repeat(26)}.vtt`,
    })
    server.answer(uploadAsset, { success: true, asset: subtitles })
    await user.upload(inputFor('other'), new File(['x'], 'hip.es.vtt', { type: 'text/vtt' }))
    await waitFor(() =>
      expect(form.getByRole<HTMLInputElement>('textbox', { name: 'Language name 1' }).value).toBe('Spanish'),
    )
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]?.content_data).toMatchObject({
      url: video.url,
      duration: 61,
      subtitles: [{ label: 'Spanish', language: 'es', url: subtitles.url }],
    })
  })
})
