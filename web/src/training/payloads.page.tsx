import { createRoot } from 'react-dom/client'
import { ContentView } from './preview/content-view.tsx'
import { CourseFrame } from './preview/course-frame.tsx'
import { Markup } from './preview/markup.tsx'
import { renderMarkup } from './preview/render-markup.ts'

const question = (id: number, text: string) => ({
  id: String(id),
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
const show = (content_type: string, content_data: object) => (
  <ContentView lesson={{ content_type, content_data } as never} />
)

/** Every place in which what somebody wrote is shown. */
const sinks: Record<string, (text: string, index: number) => React.ReactNode> = {
  markdown: (text) => <Markup text={text} formatting="markdown" allowHtml={false} />,
  'rich text': (text) => <Markup text={text} formatting="rich_text" allowHtml={false} />,
  'rich text with HTML': (text) => <Markup text={text} formatting="rich_text" allowHtml />,
  plain: (text) => <Markup text={text} formatting="plain" allowHtml />,
  'mixed text': (text) =>
    show('mixed', {
      components: [
        {
          type: 'text',
          order: 0,
          content: { trainingMixedComponentText: text, formatting: 'rich_text', allowHtml: true },
        },
      ],
      layout: 'sequential',
    }),
  transcript: (text) => show('audio', { transcript: text }),
  quiz: (text, index) => show('quiz', quiz([question(index, text)])),
  flashcard: (text) =>
    show('interactive', { gameType: 'flashcards', gameData: { cards: [{ front: text, back: text }] } }),
  steps: (text) => show('interactive', { gameType: 'order_steps', gameData: { steps: [text, `${text}!`] } }),
  custom: (text) => show('interactive', { gameType: 'custom', gameData: { text }, instructions: text }),
  'unknown type': (text) => show(text, {}),
  // The sanitiser taken away: the frame and the policy of the page have to hold alone.
  unsanitised: (text) => (
    <div
      // biome-ignore lint/security/noDangerouslySetInnerHtml: that is what is tried
      dangerouslySetInnerHTML={{
        __html: renderMarkup({ text, formatting: 'rich_text', allowHtml: true }, (html) => html),
      }}
    />
  ),
}

const root = createRoot(document.getElementById('root') as HTMLElement)
const settle = () => new Promise((resolve) => setTimeout(resolve, 700))

/** Waits for the frame to show its page. */
async function shown(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (document.querySelector('iframe')?.contentDocument?.querySelector('.markup')) return
  }
}

/** Clicks, focuses and points at everything that is there. */
function touch(page: Document): number {
  const all = [...page.querySelectorAll<HTMLElement>('.course-content *')]
  for (const one of all) {
    one.focus?.()
    for (const type of ['click', 'mouseover', 'pointerenter'])
      one.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
  }
  return all.length
}

Object.assign(window, {
  count: 0,
  ran: () => Object.assign(window, { count: (window as unknown as { count: number }).count + 1 }),
  open: () => null,
  sinkNames: Object.keys(sinks),
  async tryMarkup(name: string, payloads: string[]) {
    root.render(
      <CourseFrame title="Try" theme={null} styleTexts={[]} height={600}>
        {payloads.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: payloads never change places
          <section key={index}>{sinks[name]?.(text, index)}</section>
        ))}
      </CourseFrame>,
    )
    await settle()
    const touched = touch(document.querySelector('iframe')?.contentDocument as Document)
    await settle()
    root.render(null)
    return touched
  },
  /** The same payloads where nothing holds them: so the suite is known to notice. */
  async control(payloads: string[]) {
    const place = document.createElement('div')
    document.body.append(place)
    place.innerHTML = payloads.join('\n')
    await settle()
    place.remove()
  },
  async tryStyles(payloads: string[]) {
    const faults: string[] = []
    for (const css of payloads) {
      root.render(
        <>
          <CourseFrame title="Try" theme={null} styleTexts={[css]} height={300}>
            <div className="lesson-content">
              <Markup text="words [link](https://example.com)" formatting="markdown" allowHtml={false} />
            </div>
          </CourseFrame>
          <p className="outside">outside</p>
        </>,
      )
      await shown()
      const page = document.querySelector('iframe')?.contentDocument
      const view = page?.defaultView
      if (!page || !view) {
        faults.push(`no page: ${css}`)
        continue
      }
      const outside = page.createElement('p')
      outside.className = 'outside'
      page.body.append(outside)
      const isChanged =
        view.getComputedStyle(outside).display !== 'block' ||
        view.getComputedStyle(page.body).display !== 'block' ||
        view.getComputedStyle(page.documentElement).display !== 'block' ||
        getComputedStyle(document.querySelector('.outside') as Element).display !== 'block'
      if (isChanged) faults.push(`reaches outside: ${css}`)
      const inner = page.querySelector('.markup')
      if (inner && view.getComputedStyle(inner).position === 'fixed') faults.push(`fixed: ${css}`)
      outside.remove()
      root.render(null)
      for (let tries = 0; tries < 100 && page.adoptedStyleSheets.length > 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 20))
      if (page.adoptedStyleSheets.length > 0) faults.push(`stays after closing: ${css}`)
    }
    return faults
  },
})
document.body.dataset.ready = 'yes'
