import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { css } from '@codemirror/lang-css'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, type KeyBinding, keymap, lineNumbers, placeholder } from '@codemirror/view'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import styles from './code-editor.module.css'
import editors from './editors.module.css'
import { highlights } from './highlights.ts'

type Language = 'markdown' | 'css' | 'json' | 'plain'

interface Props {
  label: string
  language: Language
  value: string
  onChange: (value: string) => void
  hint?: string
  placeholderText?: string
  minHeight?: number
  /** Finds problems to underline. */
  faults?: (text: string) => Diagnostic[]
  completions?: CompletionSource
  /** Called with pasted or dropped files. */
  onFiles?: (files: File[]) => void
  /** Passes the view to toolbars. */
  onReady?: (view: EditorView) => void
  isReadOnly?: boolean
  /** Additional key bindings; they take precedence. */
  keys?: readonly KeyBinding[]
}

const languages: Record<Language, () => Extension> = {
  markdown: () => markdown(),
  css: () => css(),
  json: () => json(),
  plain: () => [],
}

// CodeMirror injects styles at runtime; the page's nonce lets them pass the content security policy.
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Ctrl-Enter submits the surrounding form, as in every field.
const editing = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13px' },
  '.cm-content': { fontFamily: 'var(--font-mono, ui-monospace, monospace)', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-sunken)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-quiet) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
})

/** A text editor for markdown, CSS and JSON. Tab leaves it, as in every field. */
export function CodeEditor(props: Props) {
  const { label, language, value, hint, minHeight = 160, isReadOnly = false } = props
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const languageSlot = useRef(new Compartment())
  // Texts typed here that have not come back as `value` yet.
  const typed = useRef<string[]>([])
  const changed = useEffectEvent((text: string) => props.onChange(text))
  const filesReceived = useEffectEvent((files: File[]) => props.onFiles?.(files))
  const findFaults = useEffectEvent((text: string) => props.faults?.(text) ?? [])
  const ready = useEffectEvent((editor: EditorView) => props.onReady?.(editor))
  const complete = useEffectEvent((context: Parameters<CompletionSource>[0]) => props.completions?.(context) ?? null)
  const start = useEffectEvent(() => value)
  const ownKeys = useEffectEvent(() => props.keys ?? [])
  const hasFaults = props.faults !== undefined
  const takesFiles = props.onFiles !== undefined
  const placeholderValue = props.placeholderText ?? ''

  useEffect(() => {
    if (!host.current) return
    const filesOf = (data: DataTransfer | null) => (takesFiles ? [...(data?.files ?? [])] : [])
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: start(),
        extensions: [
          EditorView.cspNonce.of(nonce()),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          language === 'plain' || language === 'markdown' ? [] : lineNumbers(),
          EditorView.lineWrapping,
          syntaxHighlighting(highlights),
          keymap.of([
            ...ownKeys(),
            ...closeBracketsKeymap,
            ...editing,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          languageSlot.current.of(languages[language]()),
          autocompletion({ override: [(context) => complete(context)] }),
          hasFaults ? [linter((one) => findFaults(one.state.doc.toString())), lintGutter()] : [],
          placeholder(placeholderValue),
          EditorView.contentAttributes.of({ 'aria-labelledby': id, 'aria-multiline': 'true', spellcheck: 'true' }),
          EditorState.readOnly.of(isReadOnly),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            const text = update.state.doc.toString()
            typed.current.push(text)
            changed(text)
          }),
          EditorView.domEventHandlers({
            paste: (event) => {
              const files = filesOf(event.clipboardData)
              if (files.length === 0) return false
              event.preventDefault()
              filesReceived(files)
              return true
            },
            drop: (event, target) => {
              const files = filesOf(event.dataTransfer)
              if (files.length === 0) return false
              event.preventDefault()
              const at = target.posAtCoords({ x: event.clientX, y: event.clientY })
              if (at !== null) target.dispatch({ selection: { anchor: at } })
              filesReceived(files)
              return true
            },
          }),
          theme,
        ],
      }),
    })
    view.current = editor
    ready(editor)
    return () => editor.destroy()
  }, [language, id, hasFaults, takesFiles, isReadOnly, placeholderValue])

  // A value set from outside (a template, a reset) replaces the text. A value that was typed here is ignored: it is
  // already shown, and newer input may follow it.
  useEffect(() => {
    const editor = view.current
    const place = typed.current.indexOf(value)
    typed.current = place === -1 ? [] : typed.current.slice(place + 1)
    if (!editor || place !== -1 || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
    typed.current = []
  }, [value])

  return (
    <div className={styles.field}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div ref={host} className={editors.writing} style={{ minHeight }} />
      {hint && <p className={styles.hint}>{hint}</p>}
    </div>
  )
}

/** Replaces the selection with text and moves the cursor after it. */
export function insertText(view: EditorView, text: string): void {
  view.dispatch(view.state.replaceSelection(text))
  view.focus()
}

/** Wraps the selection in markup; without a selection, inserts the wrapped default text. */
export function wrapSelection(view: EditorView, before: string, after: string, otherwise: string): void {
  const { from, to } = view.state.selection.main
  const inner = view.state.sliceDoc(from, to) || otherwise
  // With the cursor before a closing mark, move past it instead.
  const isAtEnd = from === to && view.state.sliceDoc(to, to + after.length) === after
  view.dispatch(
    isAtEnd
      ? { selection: { anchor: to + after.length } }
      : {
          changes: { from, to, insert: before + inner + after },
          selection: { anchor: from + before.length, head: from + before.length + inner.length },
        },
  )
  view.focus()
}

/** Prefixes each selected line. */
export function prefixLines(view: EditorView, prefix: (index: number) => string): void {
  const { from, to } = view.state.selection.main
  const first = view.state.doc.lineAt(from).number
  const last = view.state.doc.lineAt(to).number
  const changes = Array.from({ length: last - first + 1 }, (_, index) => ({
    from: view.state.doc.line(first + index).from,
    insert: prefix(index),
  }))
  view.dispatch({ changes })
  view.focus()
}
