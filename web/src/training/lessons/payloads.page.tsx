import type { Course } from '@limber/contract/training/courses/course.ts'
import type { ContentData, ContentType } from '@limber/contract/training/lessons/content.ts'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { parseRich } from '../editors/rich/rich-markdown.ts'
import { richPlugins } from '../editors/rich/rich-plugins.ts'
import { ContentView } from '../preview/content-view.tsx'
import { CourseFrame } from '../preview/course-frame.tsx'
import { CoursePage } from '../preview/intro-pages.tsx'
import { Markup } from '../preview/markup.tsx'
import { renderMarkup } from '../preview/render-markup.ts'

// A test page for web/tests/payloads.spec.ts: it renders course content with hostile input. It is not part of the product.

const question = (index: number, text: string) => ({
  id: String(index),
  trainingQuizQuestion: text,
  type: 'multiple_choice',
  options: [text, text],
  correctAnswer: 0,
  correctAnswers: [],
  acceptedAnswers: [],
  trainingQuizExplanation: text,
  points: 1,
})
const quiz = (questions: object[]) => ({
  questions,
  timeLimit: null,
  randomizeQuestions: false,
  passingScore: 70,
  maxAttempts: 3,
})
const mixedText = (text: string) => ({
  layout: 'sequential',
  components: [
    { type: 'text', order: 0, content: { trainingMixedComponentText: text, formatting: 'rich_text', allowHtml: true } },
  ],
})
const show = (content_type: ContentType, content_data: object) => (
  <ContentView lesson={{ content_type, content_data: content_data as ContentData }} />
)
const ignore = () => undefined

/** Every place that displays content written by authors. */
const sinks: Record<string, (text: string, index: number) => ReactNode> = {
  markdown: (text) => <Markup text={text} formatting="markdown" allowHtml={false} />,
  'rich text': (text) => <Markup text={text} formatting="rich_text" allowHtml={false} />,
  'rich text with HTML': (text) => <Markup text={text} formatting="rich_text" allowHtml />,
  plain: (text) => <Markup text={text} formatting="plain" allowHtml />,
  'mixed text': (text) => show('mixed', mixedText(text)),
  transcript: (text) => show('audio', { transcript: text }),
  quiz: (text, index) => show('quiz', quiz([question(index, text)])),
  flashcard: (text) =>
    show('interactive', { gameType: 'flashcards', gameData: { cards: [{ front: text, back: text }] } }),
  steps: (text) => show('interactive', { gameType: 'order_steps', gameData: { steps: [text, `${text}!`] } }),
  custom: (text) => show('interactive', { gameType: 'custom', gameData: { text }, instructions: text }),
  'unknown type': (text) => show(text as ContentType, {}),
  description: (text) => (
    <CoursePage
      course={{ title: text, description: text, estimated_duration_hours: null } as Course}
      modules={[]}
      onStart={ignore}
      onOpen={ignore}
    />
  ),
  // Without the sanitizer: the frame and the content security policy must hold on their own.
  unsanitized: (text) => (
    <div
      // biome-ignore lint/security/noDangerouslySetInnerHtml: this is what the page tests
      dangerouslySetInnerHTML={{
        __html: renderMarkup({ text, formatting: 'rich_text', allowHtml: true }, (html) => html),
      }}
    />
  ),
}

const root = createRoot(document.getElementById('root') as HTMLElement)
const outside = document.createElement('p')
outside.className = 'outside'
document.body.append(outside)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
// Long enough for the error event of a failed image; the control run waits just as long.
const settle = () => wait(300)

async function until(isSo: () => unknown): Promise<boolean> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (isSo()) return true
    await wait(10)
  }
  return false
}

const frameDocument = () => document.querySelector('iframe')?.contentDocument ?? undefined

/** Clicks, focuses and hovers every element; returns the number of elements. */
function interact(page: Document, within = '.course-content'): number {
  const all = [...page.querySelectorAll<HTMLElement>(`${within} *`)]
  // Focus forces a layout and a click changes it. Done in two passes, each costs only once.
  for (const one of all) one.focus?.()
  for (const one of all) {
    for (const type of ['click', 'mouseover', 'pointerenter'])
      one.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
  }
  return all.length
}

async function tryMarkup(name: string, payloads: readonly string[]): Promise<number> {
  root.render(
    <CourseFrame title="Try" theme={null} styleTexts={[]} height={600}>
      {payloads.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: payloads are never reordered
        <section key={index}>{sinks[name]?.(text, index)}</section>
      ))}
    </CourseFrame>,
  )
  await until(() => frameDocument()?.querySelector('section > :not(.note)'))
  await settle()
  const page = frameDocument()
  const touched = page ? interact(page) : 0
  await settle()
  root.render(null)
  return touched
}

/** The rich text editor is in the page itself, not in a frame. Opens and pastes each payload in it. */
async function tryEditor(hasHtml: boolean, payloads: readonly string[]): Promise<number> {
  const place = document.createElement('div')
  place.className = 'editors'
  document.body.append(place)
  for (const text of payloads) {
    const doc = parseRich(text, hasHtml) ?? parseRich('', hasHtml)
    if (!doc) throw new Error('An empty text cannot be parsed')
    const editor = new EditorView(place, { state: EditorState.create({ doc, plugins: richPlugins(doc.type.schema) }) })
    editor.pasteHTML(text)
  }
  await settle()
  const touched = interact(document, '.editors')
  await settle()
  place.remove()
  return touched
}

/** The same payloads without protection, to prove that the suite notices them. */
async function runUnguarded(payloads: readonly string[]): Promise<void> {
  const place = document.createElement('div')
  place.innerHTML = payloads.join('\n')
  document.body.append(place)
  await settle()
  place.remove()
}

const isShown = (element: Element) => getComputedStyle(element).display === 'block'

async function styleFault(css: string): Promise<string | undefined> {
  root.render(
    <CourseFrame title="Try" theme={null} styleTexts={[css]} height={300}>
      <div className="lesson-content">
        <Markup text="words [link](https://example.com)" formatting="markdown" allowHtml={false} />
      </div>
    </CourseFrame>,
  )
  await until(() => frameDocument()?.querySelector('.markup') && frameDocument()?.adoptedStyleSheets.length === 2)
  const page = frameDocument()
  const inner = page?.querySelector('.markup')
  if (!page || !inner) return 'shows nothing'
  const neighbour = page.createElement('p')
  neighbour.className = 'outside'
  page.body.append(neighbour)
  const isLeftAlone = [neighbour, page.body, page.documentElement, outside, document.body].every(isShown)
  const { position } = getComputedStyle(inner)
  root.render(null)
  if (!isLeftAlone) return 'reaches outside'
  if (position === 'fixed') return 'is fixed to the window'
  return (await until(() => page.adoptedStyleSheets.length === 0)) ? undefined : 'stays after closing'
}

async function tryStyles(payloads: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  for (const css of payloads) {
    const fault = await styleFault(css)
    if (fault) faults.push(`${fault}: ${css}`)
  }
  return faults
}

/** The same styles without protection: counts how many affect what they should not. */
async function applyUnguarded(payloads: readonly string[]): Promise<number> {
  const inner = document.createElement('div')
  inner.className = 'markup'
  inner.textContent = 'words'
  document.body.append(inner)
  let reached = 0
  for (const css of payloads) {
    const style = document.createElement('style')
    style.textContent = css
    document.head.append(style)
    const isHeld = [outside, document.body].every(isShown) && getComputedStyle(inner).position !== 'fixed'
    if (!isHeld) reached += 1
    await wait(10)
    style.remove()
  }
  inner.remove()
  return reached
}

const results = {
  runs: 0,
  sinkNames: Object.keys(sinks),
  tryMarkup,
  tryEditor,
  runUnguarded,
  tryStyles,
  applyUnguarded,
}

Object.assign(window, {
  tried: results,
  ran: () => {
    results.runs += 1
  },
  // A link in a lesson opens a new tab; that is expected.
  open: () => null,
})
document.body.dataset.ready = 'yes'
