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
import { textColorOn } from '../theme/contrast.ts'
import { fontFaces } from './fonts.ts'
import frameStyles from './frame.css?inline'
import { useMediaHosts } from './media-hosts.ts'
import styles from './preview.module.css'
import { fillGuarded } from './style-guard.ts'

interface Props {
  title: string
  theme: ThemeInput | null
  /** Custom CSS, filtered again before it is applied. Each text is parsed separately, because one may be unfinished. */
  styleTexts: readonly string[]
  /** CSS that applies only inside one class of the page. */
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

/** A theme with invalid values is not shown; saving it would be refused. */
function variablesOf(input: ThemeInput | null): CSSProperties {
  const theme = completeTheme(input && !themeProblem(input) ? input : null)
  return {
    '--primary': theme.primaryColor,
    '--on-primary': textColorOn(theme.primaryColor),
    '--secondary': theme.secondaryColor,
    '--page': theme.backgroundColor,
    '--ink': theme.textColor,
    '--radius': theme.borderRadius,
    fontFamily: theme.fontFamily,
  } as CSSProperties
}

// The sandboxed frame cannot open links, so the parent page opens them in a new tab.
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[href]')
  if (!link) return
  event.preventDefault()
  const address = link.getAttribute('href') ?? ''
  if (/^(https?:|mailto:|tel:|\/api\/training\/files\/)/i.test(address))
    window.open(address, '_blank', 'noopener,noreferrer')
}

/**
 * A course page in a sandboxed frame: no scripts, no form submissions, and no external requests except media from the
 * hosts in the settings. Its styles belong to the document of the frame and end with it.
 */
export function CourseFrame(props: Props) {
  const { title, theme, styleTexts, partStyles = [], children, height = '100%', width = '100%', onKey } = props
  const [page, setPage] = useState<Document>()
  const hosts = useMediaHosts()
  const parts = JSON.stringify(partStyles)
  const custom = JSON.stringify(styleTexts)

  // Listens on the document: when a focused button disappears, key events go to the body.
  const press = useEffectEvent((event: KeyboardEvent) => onKey?.(event))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    page?.addEventListener('keydown', onKeyDown)
    return () => page?.removeEventListener('keydown', onKeyDown)
  }, [page])

  // A layout effect, so that the page never appears without its styles.
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
          // biome-ignore lint/a11y/noStaticElementInteractions: handles link clicks of the whole page
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
          <div className={COURSE_CLASS} style={variablesOf(theme)} onClick={followLink}>
            {/* Inside the course class, because saved styles use `.course-content .training-portal-container`. */}
            <div className="training-portal-container">{children}</div>
          </div>,
          page.body,
        )}
    </>
  )
}
