import type { CompletionContext } from '@codemirror/autocomplete'
import { cssCompletionSource } from '@codemirror/lang-css'
import type { EditorView } from '@codemirror/view'
import { selectorHints } from '../theme/selector-hints.ts'
import { CodeEditor } from './code-editor.tsx'
import { findStyleFaults } from './style-faults.ts'

interface Props {
  label: string
  value: string
  onChange: (value: string) => void
  minHeight?: number
  /** Passes the view, to insert text. */
  onReady?: (view: EditorView) => void
}

function completions(context: CompletionContext) {
  const typed = context.matchBefore(/[.#]?[\w-]*$/)
  if (!typed || (typed.from === typed.to && !context.explicit)) return cssCompletionSource(context)
  if (!typed.text.startsWith('.')) return cssCompletionSource(context)
  return {
    from: typed.from,
    options: selectorHints.map(({ selector, what }) => ({ label: selector, detail: what, type: 'class' })),
  }
}

/** A custom CSS editor with completion. What the filter will remove is underlined while typing. */
export default function CssEditor({ label, value, onChange, minHeight = 120, onReady }: Props) {
  return (
    <CodeEditor
      label={label}
      language="css"
      value={value}
      onChange={onChange}
      minHeight={minHeight}
      {...(onReady && { onReady })}
      hint="Custom CSS cannot load anything or affect the page outside the course. URLs, @import and fixed positions are removed on save."
      faults={(text) =>
        findStyleFaults(text).map(({ from, to, text: message }) => ({
          from,
          to,
          message,
          severity: 'warning' as const,
        }))
      }
      completions={completions}
    />
  )
}
