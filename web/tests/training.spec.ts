import { makeWav } from '../../server/src/platform/testing/testing.files.ts'
import { expect, openSample, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
)

const SUBTITLES = 'WEBVTT\n\n00:01.000 --> 00:02.000\nRespira.\n'

test('a course is created, themed, previewed to its end and put into production', async ({ browser }) => {
  // Setup is possible only once, so this journey needs its own server.
  const sample = await startLimber('sample')
  const author = await Person.open(browser)
  const { page } = author
  await openSample(page, sample)
  await page.goto(`${sample.url}/worker/managing/training`)
  const dialog = (name: string) => page.getByRole('dialog', { name })

  await test.step('a course and a module', async () => {
    await page.getByRole('button', { name: 'Create Course' }).click()
    const form = dialog('Create Course')
    await form.getByLabel('Title').fill('journey through the hip')
    await form.getByLabel('Course key').fill('Journey Hip')
    await author.checkScreen()
    await form.getByRole('button', { name: 'Create Course' }).click()
    await expect(page.getByText('Course created successfully')).toBeVisible()
    // The new course is selected, and its modules are open.
    await expect(page.getByRole('region', { name: 'Selected course' })).toContainText('Journey Through The Hip')
    await author.checkScreen()
    await page.getByRole('tab', { name: /Modules/ }).click()
    await page.getByRole('button', { name: 'Create Module' }).click()
    await dialog('Create Module').getByLabel('Title').fill('first steps')
    await expect(dialog('Create Module').getByLabel('Module key')).toHaveValue('first_steps')
    await dialog('Create Module').getByRole('button', { name: 'Create Module' }).click()
    await expect(page.getByText('Module created successfully')).toBeVisible()
  })

  const write = async (type: string, title: string, fill: (form: ReturnType<typeof dialog>) => Promise<void>) => {
    await page.getByRole('button', { name: 'Create Lesson' }).click()
    const form = dialog('Create Lesson')
    await form.getByLabel('Title').fill(title)
    await form.getByLabel('Lesson key').fill(title)
    await form.getByLabel('Content type').selectOption(type)
    await fill(form)
    await form.getByRole('button', { name: 'Create Lesson' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByText('Lesson created successfully')).toBeVisible()
  }
  const addQuestion = async (title: string) => {
    const builder = dialog(title)
    await builder.getByRole('textbox', { name: /^Question/ }).fill('Which joint is the largest?')
    for (const [place, answer] of ['Hip', 'Knee', 'Elbow', 'Toe'].entries())
      await builder.getByLabel(`Answer ${place + 1}`, { exact: true }).fill(answer)
    await builder.getByLabel('Answer 2 is correct').check()
    await builder.getByRole('button', { name: 'Add Question' }).click()
    await builder.getByRole('button', { name: 'Done' }).click()
  }

  await test.step('a lesson of each of the seven types', async () => {
    await page.getByRole('tab', { name: /Lessons/ }).click()
    await write('text', 'words', async (form) => {
      await form.getByRole('textbox', { name: 'Lesson text' }).fill('Hold the **heel**.')
      await expect(page.frameLocator('iframe[title="Live preview"]').getByText('heel')).toBeVisible()
      await form.getByRole('button', { name: 'Insert file' }).click()
      const files = dialog('Course files')
      await files.locator('input[type=file]').setInputFiles({ name: 'hip.png', mimeType: 'image/png', buffer: PICTURE })
      await files.getByRole('button', { name: 'Insert hip.png' }).click()
      await author.checkScreen()
    })
    await write('video', 'film', async (form) => {
      await form.getByRole('button', { name: 'Add subtitles' }).click()
      await form.locator('input[accept*=vtt]').setInputFiles({
        name: 'film.es.vtt',
        mimeType: 'text/vtt',
        buffer: Buffer.from(SUBTITLES),
      })
      await expect(form.getByLabel('Subtitle file 1')).toHaveValue(/\.vtt$/)
      await expect(form.getByLabel('Language name 1')).toHaveValue('Spanish')
    })
    await write('audio', 'sound', async (form) => {
      await form.locator('input[accept*=audio]').setInputFiles({
        name: 'breath.wav',
        mimeType: 'audio/wav',
        buffer: makeWav(1),
      })
      await expect(form.getByLabel('Duration in seconds')).toHaveValue('1')
      await form.getByLabel('Transcript').fill('Breathe out.')
    })
    await write('quiz', 'test', async (form) => {
      await form.getByRole('button', { name: 'Configure Quiz Questions' }).click()
      await addQuestion('Configure Quiz Questions')
      await expect(form.getByText('Which joint is the largest?')).toBeVisible()
      await form.getByText('Preview', { exact: true }).click()
      await expect(page.frameLocator('iframe[title="Lesson preview"]').getByLabel('Knee')).toBeVisible()
      await author.checkScreen()
      await form.getByText('Write', { exact: true }).click()
    })
    await write('interactive', 'cards', async (form) => {
      await form.getByLabel('Exercise', { exact: true }).selectOption('flashcards')
      await form.getByRole('button', { name: 'Add card' }).click()
      await form.getByLabel('Front of card 1').fill('Psoas')
      await form.getByLabel('Back of card 1').fill('Bends the hip')
    })
    await write('document', 'paper', async (form) => {
      await form.locator('input[accept*=pdf]').setInputFiles({
        name: 'paper.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Care of the hip'),
      })
      await expect(form.getByLabel('Document type')).toHaveValue('md')
    })
    await write('mixed', 'mix', async (form) => {
      await form.getByRole('button', { name: 'Add text' }).click()
      await form.getByText('Rich text', { exact: true }).click()
      const field = form.getByRole('textbox', { name: 'Text', exact: true })
      await field.fill('A mixed text.')
      await field.press('ControlOrMeta+a')
      await form.getByRole('button', { name: 'Bold' }).click()
      await expect(page.frameLocator('iframe[title="Live preview"]').locator('strong')).toHaveText('A mixed text.')
      await author.checkScreen()
      await form.getByRole('button', { name: 'Add quiz' }).click()
      await form.getByRole('button', { name: 'Add Quiz Question' }).click()
      await addQuestion('Add Quiz Question')
    })
    await author.checkScreen()
  })

  await test.step('a theme', async () => {
    await page.goto(`${sample.url}/worker/managing/training?theme=journey_hip`)
    const theme = dialog('Course Theme')
    await theme.getByRole('tab', { name: 'Templates' }).click()
    await theme.getByRole('button', { name: 'Corporate' }).click()
    await theme.getByRole('tab', { name: 'Simple' }).click()
    await expect(theme.getByLabel('Primary color', { exact: true })).toHaveValue('#1e40af')
    await author.checkScreen()
    await theme.getByRole('tab', { name: 'Advanced' }).click()
    await expect(theme.getByRole('textbox', { name: 'Custom CSS' })).toBeVisible()
    await theme.getByRole('button', { name: /\.training-portal-container/ }).click()
    await page.keyboard.type('outline: 3px solid rgb(1, 2, 3);')
    const beside = page.frameLocator('iframe[title="Theme preview"]')
    await expect(beside.locator('.training-portal-container')).toHaveCSS('outline-color', 'rgb(1, 2, 3)')
    await theme.getByRole('button', { name: 'Save Theme' }).click()
    await expect(page.getByText('Theme saved successfully!')).toBeVisible()
  })

  await test.step('the preview, with answered quizzes', async () => {
    await page.getByRole('button', { name: 'Preview Journey Through The Hip' }).click()
    const course = page.frameLocator('iframe[title="Course"]')
    // The saved theme matches the editor preview.
    await expect(course.locator('.training-portal-container')).toHaveCSS('outline-color', 'rgb(1, 2, 3)')
    await course.getByRole('button', { name: 'Start Course' }).click()
    await expect(course.getByText('Module 1 of 1')).toBeVisible()
    await course.getByRole('button', { name: 'Start Module' }).click()
    const next = () => course.getByRole('button', { name: 'Next Lesson →' }).click()
    await expect(course.getByText('Lesson 1 of 7')).toBeVisible()
    await expect(page).toHaveURL(/preview=journey_hip.*lesson=\d+|lesson=\d+.*preview=journey_hip/)
    await author.checkScreen()
    await next()
    await expect(course.getByText('Video URL not set')).toBeVisible()
    await next()
    await expect(course.getByText('Duration 0:01')).toBeVisible()
    await expect(course.getByText('Breathe out.')).toBeVisible()
    await next()
    await course.getByLabel('Knee').check()
    await course.getByRole('button', { name: 'Submit Answers' }).click()
    await expect(course.getByText('Passed: 1 of 1 point, 100%')).toBeVisible()
    // The keys still work after the pressed button is gone.
    await page.keyboard.press('ArrowRight')
    await course.getByRole('button', { name: /Psoas/ }).click()
    await expect(course.getByText('Bends the hip')).toBeVisible()
    await next()
    await expect(course.getByRole('heading', { name: 'Care of the hip' })).toBeVisible()
    await next()
    await expect(course.getByText('A mixed text.')).toBeVisible()
    await course.getByLabel('Hip', { exact: true }).check()
    await course.getByRole('button', { name: 'Submit Answers' }).click()
    await expect(course.getByText('Not passed: 0 of 1 point, 0%')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('iframe[title="Course"]')).toHaveCount(0)
    await page.goBack()
    await expect(course.getByText('A mixed text.')).toBeVisible()
    await course.getByRole('button', { name: 'Complete Module →' }).click()
    await expect(page.locator('iframe[title="Course"]')).toHaveCount(0)
    // A PDF is shown page by page, in a frame without scripts.
    await page.getByRole('button', { name: 'Preview Safety First' }).click()
    await course.getByRole('button', { name: 'Start Course' }).click()
    await course.getByRole('button', { name: 'Start Module' }).click()
    await next()
    const sheet = course.getByRole('img', { name: 'Page 1 of 1' })
    await expect.poll(() => sheet.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Close Preview' }).click()
  })

  await test.step('production', async () => {
    await page.getByRole('button', { name: 'Edit Journey Through The Hip' }).click()
    const form = dialog('Edit Course')
    await expect(form.getByRole('list', { name: 'Readiness checklist' })).toBeVisible()
    await form.getByRole('switch', { name: /Production mode/ }).check({ force: true })
    await expect(form.getByText(/Be sure all modules and lessons are complete/)).toBeVisible()
    await author.checkScreen()
    await form.getByRole('button', { name: 'Update Course' }).click()
    await expect(page.getByText('Course updated successfully')).toBeVisible()
    await expect(
      page.getByRole('article', { name: 'Journey Through The Hip' }).getByText('Production', { exact: true }),
    ).toBeVisible()
  })

  await test.step('a learner is enrolled and withdrawn', async () => {
    await page.getByRole('button', { name: 'Select Journey Through The Hip' }).click()
    await page.getByRole('tab', { name: 'Analytics' }).click()
    await expect(page.getByText(/Analytics is still to be implemented/)).toBeVisible()
    await page.getByRole('tab', { name: /Learners/ }).click()
    await page.getByRole('button', { name: 'Enroll learners' }).click()
    const finder = dialog('Enroll learners')
    await finder.getByLabel('Find a user').fill('an')
    const first = finder.getByRole('button', { name: /^Enroll / }).first()
    const name = ((await first.getAttribute('aria-label')) ?? '').replace('Enroll ', '')
    await author.checkScreen()
    await first.click()
    await expect(finder.getByText(`${name} is now enrolled.`)).toBeVisible()
    await finder.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText('0 of 7')
    await author.checkScreen()
    await page.getByRole('button', { name: `Withdraw ${name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText(`${name} was withdrawn`)).toBeVisible()
    await expect(page.getByText('No learners yet')).toBeVisible()
  })
  await author.leave()
  await sample.stop()
})
