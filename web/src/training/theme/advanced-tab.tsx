import type { EditorView } from '@codemirror/view'
import { lazy, Suspense, useRef } from 'react'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { selectorHints } from './selector-hints.ts'
import type { ThemeProps } from './simple-tab.tsx'
import styles from './theme.module.css'

const CssEditor = lazy(() => import('../editors/css-editor.tsx'))

/** A custom CSS editor with the selectors a course page offers. */
export function AdvancedTab({ theme, onChange }: ThemeProps) {
  const editor = useRef<EditorView>(undefined)
  // Put the cursor between the braces.
  const insert = (selector: string) => {
    const text = editor.current?.state.doc.toString() ?? ''
    const before = `${text === '' || text.endsWith('\n') ? '' : '\n'}${selector} {\n  `
    editor.current?.dispatch({
      changes: { from: text.length, insert: `${before}\n}\n` },
      selection: { anchor: text.length + before.length },
      scrollIntoView: true,
    })
    editor.current?.focus()
  }
  return (
    <div className={styles.fields}>
      <ul className={styles.hints} aria-label="Selectors">
        {selectorHints.map(({ selector, what }) => (
          <li key={selector}>
            <button type="button" onClick={() => insert(selector)}>
              <code>{selector}</code> {what}
            </button>
          </li>
        ))}
      </ul>
      <Suspense fallback={<BlockSkeleton height={220} />}>
        <CssEditor
          label="Custom CSS"
          minHeight={220}
          onReady={(view) => {
            editor.current = view
          }}
          value={theme.customCSS}
          onChange={(customCSS) => onChange({ ...theme, customCSS })}
        />
      </Suspense>
    </div>
  )
}
