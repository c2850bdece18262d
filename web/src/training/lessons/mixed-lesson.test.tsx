// @module-tag slow
import { defaultContent, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import { createLesson, updateLesson } from '@limber/contract/training/lessons/lesson.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { makeLesson } from '../training.testing.ts'
import { openForm, SLOW, sent } from './lesson.testing.tsx'

const textOf = (id: number, text: string) =>
  MixedComponent.parse({ id, type: 'text', order: id, content: { trainingMixedComponentText: text } })
const mixedLesson = (...components: MixedComponent[]) =>
  makeLesson({ content_type: 'mixed', content_data: { ...defaultContent('mixed'), components } })

describe('the components of a mixed lesson', () => {
  it('are kept without a question when the type changes, and return with it', async () => {
    const components = [textOf(0, 'Kept.')]
    const { user, server, type, submit } = await openForm({ lessons: [mixedLesson(...components)] }, 11)
    await user.selectOptions(type, 'document')
    expect(type.value).toBe('document')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await user.selectOptions(type, 'mixed')
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]).toMatchObject({ content_type: 'mixed', content_data: { components } })
  })

  it('are removed after a confirmation if they have content', async () => {
    const { user, form, type } = await openForm({})
    await user.selectOptions(type, 'mixed')
    await user.click(await form.findByRole('button', { name: 'Add audio' }, SLOW))
    await user.type(form.getByRole('textbox', { name: 'Transcript' }), 'Breathe out.')
    await user.click(form.getByRole('button', { name: 'Remove Audio 1' }))
    const question = await screen.findByRole('alertdialog', { name: 'Remove audio 1?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(form.getByDisplayValue('Breathe out.')).toBeTruthy()
    await user.click(form.getByRole('button', { name: 'Remove Audio 1' }))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    expect(await form.findByText('No components added to this mixed content lesson yet.')).toBeTruthy()
  })

  it('are renumbered when one is removed', async () => {
    const { user, server, form, type, submit } = await openForm({})
    await user.selectOptions(type, 'mixed')
    for (const kind of ['video', 'audio', 'quiz'])
      await user.click(await form.findByRole('button', { name: `Add ${kind}` }, SLOW))
    await user.click(form.getByRole('button', { name: 'Remove Audio 2' }))
    expect(form.getByText('2. Quiz')).toBeTruthy()
    await user.type(form.getByRole('textbox', { name: /Lesson key/ }), 'mix')
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'mix')
    await submit()
    await screen.findByText('Lesson created successfully')
    expect(sent(server, createLesson)[0]).toMatchObject({
      content_data: {
        components: [
          { type: 'video', order: 0 },
          { type: 'quiz', order: 1 },
        ],
      },
    })
  })

  it('have separate editors: undo in one does not overwrite another', async () => {
    const lessons = [mixedLesson(textOf(0, 'First.'), textOf(1, 'Second.'))]
    const { user, server, form, submit } = await openForm({ lessons }, 11)
    await user.click(await form.findByRole('button', { name: 'Remove Text 1' }, SLOW))
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(form.queryByRole('button', { name: 'Remove Text 2' })).toBeNull())
    const editor = form.getByRole('textbox', { name: 'Text' })
    expect(editor.textContent).toBe('Second.')
    fireEvent.keyDown(editor, { key: 'z', code: 'KeyZ', keyCode: 90, ctrlKey: true })
    expect(editor.textContent).toBe('Second.')
    await submit()
    await screen.findByText('Lesson updated successfully')
    expect(sent(server, updateLesson)[0]).toMatchObject({
      content_data: { components: [{ id: 1, order: 0, content: { trainingMixedComponentText: 'Second.' } }] },
    })
  })

  it('are sent with another type as last edited', async () => {
    const { user, server, form, type, submit } = await openForm({})
    await user.selectOptions(type, 'mixed')
    await user.click(await form.findByRole('button', { name: 'Add audio' }, SLOW))
    await user.type(form.getByRole('textbox', { name: 'Transcript' }), 'Breathe out.')
    await user.selectOptions(type, 'text')
    await user.type(form.getByRole('textbox', { name: /Lesson key/ }), 'mix')
    await user.type(form.getByRole('textbox', { name: /Title/ }), 'mix')
    await submit()
    await screen.findByText('Lesson created successfully')
    expect(sent(server, createLesson)[0]).toMatchObject({
      content_type: 'text',
      kept_components: [{ type: 'audio', id: expect.any(Number), content: { transcript: 'Breathe out.' } }],
    })
  })

  it('show where they are invalid while another type is selected', async () => {
    const { user, server, form, type, submit } = await openForm({ lessons: [makeLesson()] }, 11)
    await user.selectOptions(type, 'mixed')
    await user.click(await form.findByRole('button', { name: 'Add video' }, SLOW))
    await user.type(form.getByRole('textbox', { name: 'Video' }), 'not a URL')
    await user.selectOptions(type, 'text')
    await submit()
    expect(await form.findByText(/^mixed component 1, content, url /)).toBeTruthy()
    expect(sent(server, updateLesson)).toEqual([])
  })
})
