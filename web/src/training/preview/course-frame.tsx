import { COURSE_CLASS } from '@limber/contract/training/lessons/content.ts'
import { completeTheme, type ThemeInput, themeProblem } from '@limber/contract/training/theme/theme.ts'
import {
  type CSSProperties,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { wordsOn } from '../theme/contrast.ts'
import { fontFaces } from './fonts.ts'
import frameStyles from './frame.css?inline'
import { useMediaHosts } from './media-hosts.ts'
import styles from './preview.module.css'
import { fillGuarded } from './style-guard.ts'

interface Props {
  title: string
  theme: ThemeInput | null
  /** Custom CSS, guarded once more before it is applied; each text is read for itself, as one may be half typed. */
  styleTexts: readonly string[]
  /** CSS that reaches only what is below one class of the page. */
  partStyles?: readonly { text: string; className: string }[]
  children: ReactNode
  height?: number | string
  width?: number | string
  onKey?: (event: KeyboardEvent) => void
}

const POLICY =
  "script-src 'none'; object-src 'none'; frame-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'; style-src 'none'; font-src 'self'; img-src 'self' data: blob:"
const pageOf = (hosts: readonly string[]) => {
  const policy = [POLICY, ...hosts.map((host) => `https://${host}`)].join(' ')
  return `<!doctype html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width"><title>Course</title></head><body></body></html>`
}

/** Only a theme whose values are well formed is shown; the rest would be refused when it is saved. */
function variablesOf(input: ThemeInput | null): CSSProperties {
  const theme = completeTheme(input && !themeProblem(input) ? input : null)
  return {
    '--primary': theme.primaryColor,
    '--on-primary': wordsOn(theme.primaryColor),
    '--secondary': theme.secondaryColor,
    '--page': theme.backgroundColor,
    '--ink': theme.textColor,
    '--radius': theme.borderRadius,
    fontFamily: theme.fontFamily,
  } as CSSProperties
}

// A link leads out of the course: it opens beside it, by the page around, because nothing in here may.
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[href]')
  if (!link) return
  event.preventDefault()
  const address = link.getAttribute('href') ?? ''
  if (/^(https?:|mailto:|tel:|\/api\/training\/files\/)/i.test(address))
    window.open(address, '_blank', 'noopener,noreferrer')
}

/**
 * A page of a course, in a frame of its own in which no script runs, no form is sent and nothing is fetched from
 * elsewhere but media of the hosts in the settings. Its styles are sheets of the frame's document: they end with it.
 */
export function CourseFrame(props: Props) {
  const { title, theme, styleTexts, partStyles = [], children, height = '100%', width = '100%', onKey } = props
  const [page, setPage] = useState<Document>()
  const hosts = useMediaHosts()
  const parts = JSON.stringify(partStyles)
  const custom = JSON.stringify(styleTexts)

  // Of the whole page: when a button that had the focus goes, its keys go to the body, outside of what is drawn here.
  const press = useEffectEvent((event: KeyboardEvent) => onKey?.(event))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    page?.addEventListener('keydown', onKeyDown)
    return () => page?.removeEventListener('keydown', onKeyDown)
  }, [page])

  // Before it is drawn: a page without its styles is never seen.
  useLayoutEffect(() => {
    const view = page?.defaultView
    if (!page || !view) return
    const base = new view.CSSStyleSheet()
    base.replaceSync(fontFaces + frameStyles)
    const own = new view.CSSStyleSheet()
    fillGuarded(own, JSON.parse(custom) as typeof styleTexts, `.${COURSE_CLASS}`)
    for (const { text, className } of JSON.parse(parts) as typeof partStyles)
      fillGuarded(own, [text], `.${COURSE_CLASS} .${className}`)
    page.adoptedStyleSheets = [base, own]
    return () => {
      page.adoptedStyleSheets = []
    }
  }, [page, custom, parts])

  return (
    <>
      <iframe
        title={title}
        className={styles.frame}
        style={{ height, width }}
        sandbox="allow-same-origin"
        srcDoc={pageOf(hosts)}
        onLoad={(event) => setPage(event.currentTarget.contentDocument ?? undefined)}
      />
      {page?.body &&
        createPortal(
          // biome-ignore lint/a11y/noStaticElementInteractions: links of the whole page are heard here
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
          <div className={COURSE_CLASS} style={variablesOf(theme)} onClick={followLink}>
            {/* Below the class of a course, as saved styles name it: `.course-content .training-portal-container`. */}
            <div className="training-portal-container">{children}</div>
          </div>,
          page.body,
        )}
    </>
  )
}
