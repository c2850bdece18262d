import { lazy, Suspense } from 'react'
import { BlockSkeleton } from '#ui/skeleton.tsx'
import { selectorHints } from './selector-hints.ts'
import type { ThemeProps } from './simple-tab.tsx'
import styles from './theme.module.css'

const CssEditor = lazy(() => import('../editors/css-editor.tsx'))

/** CSS of one's own, with what it can reach. */
export function AdvancedTab({ theme, onChange }: ThemeProps) {
  const insert = (selector: string) =>
    onChange({ ...theme, customCSS: `${theme.customCSS.trimEnd()}\n${selector} {\n  \n}\n`.trimStart() })
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
          value={theme.customCSS}
          onChange={(customCSS) => onChange({ ...theme, customCSS })}
        />
      </Suspense>
    </div>
  )
}
