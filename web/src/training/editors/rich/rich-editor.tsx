import type { Asset } from '@limber/contract/training/assets/asset.ts'
import type { Node } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { cx } from '#ui/layout/class-names.ts'
import editors from '../editors.module.css'
import type { TextEditorProps } from '../text-editor-props.ts'
import styles from './rich.module.css'
import { parseRich, serializeRich } from './rich-markdown.ts'
import { richPlugins } from './rich-plugins.ts'
import { RichToolbar } from './rich-toolbar.tsx'

/** Inserts a file at the cursor: an image, a player, or a link with its name. */
function insertFile(view: EditorView, { type, url, filename }: Asset): void {
  const { schema, tr, selection } = view.state
  const { image, player } = schema.nodes
  const link = schema.marks.link?.create({ href: url })
  const isPlayer = type === 'video' || type === 'audio'
  let file = schema.text(filename, link ? [link] : [])
  if (type === 'image' && image) file = image.create({ src: url, alt: filename })
  if (isPlayer && player) file = player.create({ tag: type, src: url })
  view.dispatch(tr.replaceWith(selection.from, selection.to, file).scrollIntoView())
  view.focus()
}

/** A visual editor for text that is stored as markdown. */
export function RichEditor(props: TextEditorProps & { start: Node }) {
  const { label, text, hasHtml, tools, children } = props
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const written = useRef(text)
  const [state, setState] = useState<EditorState>()
  const begin = useEffectEvent(() => props.start)
  const changed = useEffectEvent((next: string) => props.onChange(next))
  const filesCame = useEffectEvent((files: File[]) => props.onFiles(files))
  const ready = useEffectEvent((insert: (asset: Asset) => void) => props.onReady(insert))

  useEffect(() => {
    if (!host.current) return
    const take = (data: DataTransfer | null, event: Event) => {
      const files = [...(data?.files ?? [])]
      if (files.length === 0) return false
      event.preventDefault()
      filesCame(files)
      return true
    }
    const doc = begin()
    const editor = new EditorView(host.current, {
      state: EditorState.create({ doc, plugins: richPlugins(doc.type.schema) }),
      attributes: { 'aria-labelledby': id, 'aria-multiline': 'true', role: 'textbox', class: styles.page ?? '' },
      dispatchTransaction(transaction) {
        const next = editor.state.apply(transaction)
        editor.updateState(next)
        setState(next)
        if (!transaction.docChanged) return
        written.current = serializeRich(next.doc)
        changed(written.current)
      },
      handlePaste: (_, event) => take(event.clipboardData, event),
      handleDrop: (_, event) => take(event.dataTransfer, event),
    })
    view.current = editor
    setState(editor.state)
    ready((asset) => insertFile(editor, asset))
    return () => editor.destroy()
  }, [id])

  // A value set from outside replaces the text; what was typed here is already shown.
  useEffect(() => {
    const editor = view.current
    const doc = text === written.current ? undefined : parseRich(text, hasHtml)
    if (!editor || !doc) return
    written.current = text
    editor.updateState(EditorState.create({ doc, plugins: richPlugins(doc.type.schema) }))
  }, [text, hasHtml])

  return (
    <>
      <RichToolbar view={view.current} state={state} hasHtml={hasHtml}>
        {tools}
      </RichToolbar>
      <div className={editors.split}>
        <div className={styles.field}>
          <span id={id} className={editors.sideLabel}>
            {label}
          </span>
          <div ref={host} className={cx(editors.writing, styles.host)} />
        </div>
        {children}
      </div>
    </>
  )
}
