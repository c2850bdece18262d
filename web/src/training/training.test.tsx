// @module-tag slow
import {
  checkReadiness,
  createCourse,
  deleteCourse,
  listCourses,
  updateCourse,
} from '@limber/contract/training/courses/course.ts'
import { createModule, deleteModule, listModules, reorderModules } from '@limber/contract/training/courses/module.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Refusal, renderScreen } from '#platform/testing/testing.tsx'
import { findCourses } from './palette-search.ts'
import Training from './training.screen.tsx'
import { makeCourse, makeItem, makeLesson, makeModule, serveTraining } from './training.testing.ts'

const path = '/worker/managing/training'
const SLOW = { timeout: 8000 }
const selected = `${path}?course=hip_basics`
const tab = (name: RegExp) => screen.getByRole<HTMLButtonElement>('tab', { name })
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const card = (name: string) => screen.findByRole('article', { name })

describe('Training Management', () => {
  it('disables Modules, Lessons and Analytics until a course is selected; Change Course clears it and shows the prompt', async () => {
    const { server } = serveTraining()
    const { user, router } = await renderScreen(<Training />, { server, path })
    expect(screen.getByText('Create and manage courses, modules, lessons, and quizzes')).toBeTruthy()
    for (const name of [/Modules/, /Lessons/, /Analytics/]) expect(tab(name).disabled).toBe(true)
    await user.click(within(await card('Hip Basics')).getByRole('button', { name: /Select/ }))
    for (const name of [/Modules/, /Lessons/, /Analytics/]) expect(tab(name).disabled).toBe(false)
    await user.click(tab(/Modules/))
    expect(await screen.findByText('Anatomy')).toBeTruthy()
    expect(router.state.location.href).toContain('tab=modules')
    await user.click(button('Change Course'))
    expect(await screen.findByText('Choose a course to manage its modules:')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Select a Course' })).toBeTruthy()
    await user.click(button(/Hip Basics/))
    expect(await screen.findByText('Anatomy')).toBeTruthy()
  })

  it('keeps the button of a selected course, which then opens its modules', async () => {
    const { server } = serveTraining()
    const { user, router } = await renderScreen(<Training />, { server, path })
    const select = within(await card('Hip Basics')).getByRole('button', { name: 'Select Hip Basics' })
    expect(select.getAttribute('aria-pressed')).toBe('false')
    await user.click(select)
    await waitFor(() => expect(select.textContent).toBe('Selected'))
    expect(select.getAttribute('aria-pressed')).toBe('true')
    expect(document.activeElement).toBe(select)
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Anatomy')).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ course: 'hip_basics', tab: 'modules' })
  })

  it('finds a course by its title or key', async () => {
    const titles = ['Hip Basics', 'Knee Basics', 'Ankles', 'Spine', 'Wrists', 'Necks']
    const { server } = serveTraining({
      courses: titles.map((title) => makeCourse({ title, course_key: title.toLowerCase().replace(' ', '_') })),
    })
    const { user, router } = await renderScreen(<Training />, { server, path })
    await card('Hip Basics')
    await user.type(screen.getByRole('searchbox', { name: 'Find courses' }), 'bas kn')
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
    expect(await card('Knee Basics')).toBeTruthy()
    expect(router.state.location.href).toContain('q=bas')
    await user.type(screen.getByRole('searchbox', { name: 'Find courses' }), 'x')
    expect(await screen.findByText('No courses match “bas knx”.')).toBeTruthy()
  })

  it('lists what a course is missing, and closes the list with Escape wherever the focus is', async () => {
    const { server } = serveTraining()
    const texts = ['Lesson “Hips”: media is missing.', 'Lesson “Knees”: media is missing.']
    const items = texts.map((text, place) => makeItem({ kind: 'missing_media', lesson_id: place + 1, text }))
    server.answer(checkReadiness, { data: { badge: 'Ready for Production', canActivate: true, items } })
    const { user } = await renderScreen(<Training />, { server, path })
    await user.click(await within(await card('Hip Basics')).findByRole('button', { name: '2 things to fix' }))
    expect(await screen.findByText('Lesson “Knees”: media is missing.')).toBeTruthy()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText('Lesson “Knees”: media is missing.')).toBeNull())
  })

  it('is found in the palette by the title of a course, with a link to its modules', async () => {
    const { server } = serveTraining()
    server.install()
    const [found] = await findCourses('hip', new AbortController().signal)
    const gone: string[] = []
    found?.run((way) => gone.push(way))
    expect([found?.title, ...gone]).toEqual(['Hip Basics', `${path}?tab=modules&course=hip_basics`])
  })

  it('reloads the data of a tab when it is opened', async () => {
    const { server } = serveTraining()
    const { user } = await renderScreen(<Training />, { server, path: selected })
    await card('Hip Basics')
    await user.click(tab(/Modules/))
    await screen.findByText('Anatomy')
    const before = server.callCount(listCourses)
    await user.click(tab(/Courses/))
    await waitFor(() => expect(server.callCount(listCourses)).toBeGreaterThan(before))
    const modules = server.callCount(listModules)
    await user.click(tab(/Modules/))
    await waitFor(() => expect(server.callCount(listModules)).toBeGreaterThan(modules))
  })

  it('reloads the readiness of each course when the Courses tab is opened', async () => {
    const { server } = serveTraining()
    const { user } = await renderScreen(<Training />, { server, path: selected })
    expect(await within(await card('Hip Basics')).findByText('All 1 lesson complete')).toBeTruthy()
    const items = [makeItem({ text: 'Lesson “Joints”: the content is empty.' })]
    server.answer(checkReadiness, { data: { badge: 'Ready for Production', canActivate: true, items } })
    await user.click(tab(/Courses/))
    expect(await within(await card('Hip Basics')).findByText('Lesson “Joints”: the content is empty.')).toBeTruthy()
  })

  it('reloads lessons when opened from a module, and modules when opened from the lessons', async () => {
    const { server, stored } = serveTraining()
    const { user, router } = await renderScreen(<Training />, { server, path: `${selected}&tab=lessons` })
    expect(await screen.findByText('Joints')).toBeTruthy()
    // Going back in history opens no tab, so nothing is reloaded.
    await router.navigate({ to: '.', search: { course: 'hip_basics', tab: 'modules' } as never })
    stored.lessons = [makeLesson({ title: 'Bones' })]
    await user.click(await screen.findByRole('button', { name: '1 lesson' }))
    expect(await screen.findByText('Bones')).toBeTruthy()
    expect(router.state.location.href).toContain('module=anatomy')
    stored.modules = []
    await user.click(tab(/Lessons/))
    await screen.findByText('No lessons yet')
    stored.modules = [makeModule({ title: 'Practice' })]
    await user.click(button('Go to modules'))
    expect(await screen.findByText('Practice')).toBeTruthy()
  })

  it('shows counts, level and one of the four readiness badges', async () => {
    const { server } = serveTraining({
      courses: [
        makeCourse({ course_key: 'a', title: 'Live', is_active: true, moduleCount: 2, lessonCount: 7 }),
        makeCourse({ course_key: 'b', title: 'Whole', moduleCount: 2, lessonCount: 4 }),
        makeCourse({ course_key: 'c', title: 'Half', moduleCount: 2, lessonCount: 0 }),
        makeCourse({ course_key: 'd', title: 'Bare', moduleCount: 0, lessonCount: 0, description: null }),
      ],
    })
    server.answer(checkReadiness, {
      data: {
        badge: 'Needs Lessons',
        canActivate: false,
        items: [makeItem({ text: 'Lesson “Joints”: the content is empty.' })],
      },
    })
    await renderScreen(<Training />, { server, path })
    const live = await card('Live')
    expect(within(live).getByText('Production')).toBeTruthy()
    expect(within(live).getByText('7')).toBeTruthy()
    expect(within(await card('Whole')).getByText('Ready for Production')).toBeTruthy()
    expect(within(await card('Half')).getByText('Needs Lessons')).toBeTruthy()
    const bare = await card('Bare')
    expect(within(bare).getByText('Needs Modules')).toBeTruthy()
    expect(within(bare).getByText('No description')).toBeTruthy()
    expect(await within(live).findByText('Lesson “Joints”: the content is empty.')).toBeTruthy()
  })

  it('says that learners are taking a live course', async () => {
    const { server } = serveTraining({ courses: [makeCourse({ is_active: true, learningCount: 3 })] })
    await renderScreen(<Training />, { server, path: selected })
    expect(await screen.findByText(/3 learners are taking this course/)).toBeTruthy()
  })

  it('shows in the banner what could not be loaded', async () => {
    const { server } = serveTraining()
    server.answer(listCourses, new Refusal(422, 'broken', 'The shelf is empty.'))
    await renderScreen(<Training />, { server, path })
    expect(await screen.findByText('Failed to load courses: The shelf is empty.', undefined, SLOW)).toBeTruthy()
  })

  it('shows a load error on every tab, with a retry', async () => {
    const { server } = serveTraining()
    server.answer(listModules, new Refusal(422, 'broken', 'The drawer is stuck.'))
    await renderScreen(<Training />, { server, path: `${path}?course=hip_basics&tab=lessons` })
    expect(await screen.findByText('Failed to load modules: The drawer is stuck.', undefined, SLOW)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  })

  it('shows a load error where a course should be selected', async () => {
    const { server } = serveTraining()
    server.answer(listCourses, new Refusal(422, 'broken', 'The shelf is empty.'))
    await renderScreen(<Training />, { server, path: `${path}?tab=modules` })
    expect(await screen.findByText('Failed to load courses: The shelf is empty.', undefined, SLOW)).toBeTruthy()
  })
})

describe('a course', () => {
  it('is created with a slug as key and a capitalized title', async () => {
    const { server, stored } = serveTraining({ courses: [] })
    server.answer(createCourse, ({ body }) => {
      stored.courses = [makeCourse({ ...body, course_key: body.course_key, moduleCount: 0, lessonCount: 0 } as object)]
      return { success: true, data: stored.courses[0] ?? makeCourse(), notes: [] }
    })
    const { user } = await renderScreen(<Training />, { server, path })
    await user.click(button('Create Course'))
    const dialog = await screen.findByRole('dialog', { name: 'Create Course' })
    const key = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Course key/ })
    await user.type(key, 'Lower Back Care')
    expect(key.value).toBe('lower_back_care')
    const title = within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Title/ })
    await user.type(title, 'lower back care')
    expect(title.value).toBe('Lower Back Care')
    await user.click(within(dialog).getByRole('button', { name: 'Create Course' }))
    expect(await screen.findByText('Course created successfully')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === createCourse)?.body).toMatchObject({
      course_key: 'lower_back_care',
      title: 'Lower Back Care',
      difficulty_level: 'beginner',
      is_required: false,
    })
    await user.click(button('Dismiss'))
    expect(screen.queryByText('Course created successfully')).toBeNull()
    // The new course is selected, and its modules are open.
    expect(tab(/Modules/).getAttribute('aria-selected')).toBe('true')
    const bar = await screen.findByRole('region', { name: 'Selected course' })
    expect(within(bar).getByText('Lower Back Care')).toBeTruthy()
  })

  it('has a key that follows the title until a key is typed', async () => {
    const { server } = serveTraining()
    const { user } = await renderScreen(<Training />, { server, path })
    await user.click(button('Create Course'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create Course' }))
    const [title, key] = [/Title/, /Course key/].map((name) => dialog.getByRole<HTMLInputElement>('textbox', { name }))
    if (!title || !key) throw new Error('The fields are missing')
    await user.type(title, 'the hip, explained')
    expect(key.value).toBe('the_hip_explained')
    await user.clear(key)
    await user.type(key, 'hip')
    await user.type(title, ' again')
    expect(key.value).toBe('hip')
  })

  it('requires key and title, and shows a refusal as a banner text', async () => {
    const { server } = serveTraining()
    server.answer(createCourse, new Refusal(409, 'key_taken', 'A course with the key "hip_basics" already exists.'))
    const { user } = await renderScreen(<Training />, { server, path })
    await user.click(button('Create Course'))
    const dialog = await screen.findByRole('dialog', { name: 'Create Course' })
    await user.click(within(dialog).getByRole('button', { name: 'Create Course' }))
    expect(within(dialog).getByText('Course key is required.')).toBeTruthy()
    expect(within(dialog).getByText('Title is required.')).toBeTruthy()
    await user.type(within(dialog).getByRole('textbox', { name: /Course key/ }), 'hip_basics')
    await user.type(within(dialog).getByRole('textbox', { name: /Title/ }), 'x')
    await user.click(within(dialog).getByRole('button', { name: 'Create Course' }))
    expect(
      await within(dialog).findByText('Failed to create course: A course with the key "hip_basics" already exists.'),
    ).toBeTruthy()
  })

  it('keeps its key, and warns before production mode', async () => {
    const { server } = serveTraining()
    server.answer(updateCourse, ({ body }) => ({ success: true, data: makeCourse(body as object), notes: [] }))
    const { user } = await renderScreen(<Training />, { server, path: `${path}?edit=hip_basics` })
    const dialog = await screen.findByRole('dialog', { name: 'Edit Course' })
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Course key/ }).disabled).toBe(true)
    expect(within(dialog).queryByText(/available to users/)).toBeNull()
    await user.click(within(dialog).getByRole('switch', { name: /Production mode/ }))
    expect(within(dialog).getByText(/Be sure all modules and lessons are complete/)).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: 'Update Course' }))
    expect(await screen.findByText('Course updated successfully')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === updateCourse)?.body).toMatchObject({
      course_key: 'hip_basics',
      is_active: true,
      version: 3,
    })
  })

  it('cannot go into production without a module and a lesson', async () => {
    const { server } = serveTraining({ courses: [makeCourse({ lessonCount: 0 })] })
    await renderScreen(<Training />, { server, path: `${path}?edit=hip_basics` })
    const dialog = await screen.findByRole('dialog', { name: 'Edit Course' })
    expect(within(dialog).getByRole<HTMLInputElement>('switch', { name: /Production mode/ }).disabled).toBe(true)
    expect(
      within(dialog).getByText('Cannot activate production mode: Course must have at least one module and one lesson.'),
    ).toBeTruthy()
  })

  it('is deleted after a confirmation that names what is deleted', async () => {
    const { server, stored } = serveTraining()
    server.answer(deleteCourse, () => {
      stored.courses = []
      const deleted = { modules: 1, lessons: 1, attempts: 0, progress: 0, assets: 0 }
      return { success: true, data: { course_key: 'hip_basics', deleted } }
    })
    const { user, router } = await renderScreen(<Training />, { server, path: selected })
    await user.click(within(await card('Hip Basics')).getByRole('button', { name: /Delete/ }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('cannot be undone')
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Course deleted successfully')).toBeTruthy()
    expect(await screen.findByText('No courses yet')).toBeTruthy()
    expect(router.state.location.href).not.toContain('course=')
  })
})

describe('a live course with learners', () => {
  const live = { is_active: true, enrolledCount: 12, learningCount: 5 }
  const ask = async () => {
    const view = serveTraining({ courses: [makeCourse(live)] })
    const screenView = await renderScreen(<Training />, { server: view.server, path: selected })
    await screenView.user.click(within(await card('Hip Basics')).getByRole('button', { name: /Delete/ }))
    const question = await screen.findByRole('alertdialog', { name: 'Delete the course “Hip Basics”?' })
    return { ...view, ...screenView, question: within(question) }
  }

  it('is deleted only after its title is typed', async () => {
    const { server, stored, user, question } = await ask()
    server.answer(deleteCourse, () => {
      stored.courses = []
      const deleted = { modules: 1, lessons: 1, attempts: 0, progress: 0, assets: 0 }
      return { success: true, data: { course_key: 'hip_basics', deleted } }
    })
    expect(question.getByText(/12 learners, 5 of them in progress/)).toBeTruthy()
    const remove = question.getByRole<HTMLButtonElement>('button', { name: 'Delete course' })
    expect(remove.disabled).toBe(true)
    const field = question.getByRole('textbox', { name: 'Course title' })
    await user.type(field, 'Hip')
    expect(remove.disabled).toBe(true)
    await user.type(field, ' Basics')
    await user.click(remove)
    expect(await screen.findByText('Course deleted successfully')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === deleteCourse)?.body).toMatchObject({
      confirm_title: 'Hip Basics',
    })
  })

  it('is archived instead, which the dialog offers first', async () => {
    const { server, user, question } = await ask()
    server.answer(updateCourse, { success: true, data: makeCourse(), notes: [] })
    const archive = question.getByRole('button', { name: 'Archive instead' })
    await waitFor(() => expect(document.activeElement).toBe(archive))
    await user.click(archive)
    expect(await screen.findByText('“Hip Basics” was archived. Learners can no longer see it.')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === updateCourse)?.body).toEqual({
      course_key: 'hip_basics',
      is_active: false,
      version: 3,
    })
    expect(server.callCount(deleteCourse)).toBe(0)
  })
})

describe('modules', () => {
  const three = [
    makeModule(),
    makeModule({ id: 2, module_key: 'practice', title: 'Practice', position: 1 }),
    makeModule({ id: 3, module_key: 'exam', title: 'Exam', position: 2 }),
  ]
  const modulesPath = `${selected}&tab=modules`

  it('offer the other modules as prerequisites, but not themselves', async () => {
    const { server } = serveTraining({ modules: three })
    const { user } = await renderScreen(<Training />, { server, path: modulesPath })
    await user.click(await screen.findByRole('button', { name: 'Edit Practice' }))
    const dialog = await screen.findByRole('dialog', { name: 'Edit Module' })
    const offered = within(within(dialog).getByRole('group', { name: /Prerequisites/ })).getAllByRole('checkbox')
    expect(offered).toHaveLength(2)
    expect(within(dialog).queryByRole('checkbox', { name: 'Practice' })).toBeNull()
  })

  it('are created with their defaults', async () => {
    const { server } = serveTraining({ modules: three })
    server.answer(createModule, ({ body }) => ({ success: true, data: makeModule(body as object) }))
    const { user } = await renderScreen(<Training />, { server, path: modulesPath })
    await user.click(await screen.findByRole('button', { name: 'Create Module' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create Module' })
    await user.type(within(dialog).getByRole('textbox', { name: /Title/ }), 'cool down')
    // A key that was not typed follows the title.
    expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: /Module key/ }).value).toBe('cool_down')
    await user.click(within(dialog).getByRole('button', { name: 'Create Module' }))
    expect(await screen.findByText('Module created successfully')).toBeTruthy()
    expect(server.requests.find(({ call }) => call === createModule)?.body).toMatchObject({
      module_key: 'cool_down',
      title: 'Cool Down',
      is_required: true,
      is_active: true,
    })
  })

  it('are reordered by keyboard, and restored with Escape', async () => {
    const { server } = serveTraining({ modules: three })
    server.answer(reorderModules, ({ body }) => ({ success: true, data: body.module_keys }))
    const { user } = await renderScreen(<Training />, { server, path: modulesPath })
    const handle = await screen.findByRole('button', { name: 'Move Anatomy' })
    handle.focus()
    await user.keyboard(' {ArrowDown}{Escape}')
    expect(server.callCount(reorderModules)).toBe(0)
    await user.keyboard(' {ArrowDown}{ArrowDown} ')
    await waitFor(() => expect(server.callCount(reorderModules)).toBe(1))
    expect(server.requests.find(({ call }) => call === reorderModules)?.body).toEqual({
      course_key: 'hip_basics',
      module_keys: ['practice', 'exam', 'anatomy'],
    })
  })

  it('show in the banner why one could not be deleted', async () => {
    const { server } = serveTraining({ modules: three })
    server.answer(deleteModule, new Refusal(409, 'last_of_production', 'Turn off production mode first.'))
    const { user } = await renderScreen(<Training />, { server, path: modulesPath })
    await user.click(await screen.findByRole('button', { name: 'Delete Exam' }))
    const question = await screen.findByRole('alertdialog')
    expect(question.textContent).toContain('also deletes all of its lessons')
    await user.click(within(question).getByRole('button', { name: 'Confirm' }))
    expect(await screen.findByText('Failed to delete module: Turn off production mode first.')).toBeTruthy()
  })
})
