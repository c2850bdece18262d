import type { EditorView } from '@codemirror/view'
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconH2,
  IconH3,
  IconHighlight,
  IconItalic,
  IconLine,
  IconLink,
  IconList,
  IconListNumbers,
  IconStrikethrough,
  IconSubscript,
  IconSuperscript,
  IconTable,
  IconUnderline,
} from '@tabler/icons-react'
import { useState } from 'react'
import { markupOf } from '../assets/markup.ts'
import { CodeEditor, insertText, prefixLines, wrapSelection } from './code-editor.tsx'
import styles from './editors.module.css'
import type { TextEditorProps } from './text-editor-props.ts'
import { Tool, Toolbar } from './toolbar.tsx'

const TABLE = '\n| Column | Column |\n| --- | --- |\n|  |  |\n'

const tools = [
  { name: 'Heading', icon: IconH2, run: (view: EditorView) => prefixLines(view, () => '## ') },
  { name: 'Subheading', icon: IconH3, run: (view: EditorView) => prefixLines(view, () => '### ') },
  { name: 'Bold', key: 'Mod-b', icon: IconBold, run: (view: EditorView) => wrapSelection(view, '**', '**', 'bold') },
  {
    name: 'Italic',
    key: 'Mod-i',
    icon: IconItalic,
    run: (view: EditorView) => wrapSelection(view, '_', '_', 'italic'),
  },
  {
    name: 'Strikethrough',
    icon: IconStrikethrough,
    run: (view: EditorView) => wrapSelection(view, '~~', '~~', 'text'),
  },
  { name: 'Link', icon: IconLink, run: (view: EditorView) => wrapSelection(view, '[', '](https://)', 'words') },
  { name: 'List', icon: IconList, run: (view: EditorView) => prefixLines(view, () => '- ') },
  {
    name: 'Numbered list',
    icon: IconListNumbers,
    run: (view: EditorView) => prefixLines(view, (index) => `${index + 1}. `),
  },
  { name: 'Quote', icon: IconBlockquote, run: (view: EditorView) => prefixLines(view, () => '> ') },
  { name: 'Code', icon: IconCode, run: (view: EditorView) => wrapSelection(view, '`', '`', 'code') },
  { name: 'Table', icon: IconTable, run: (view: EditorView) => insertText(view, TABLE) },
  { name: 'Horizontal line', icon: IconLine, run: (view: EditorView) => insertText(view, '\n\n---\n\n') },
]
const keys = tools.flatMap(({ key, run }) =>
  key
    ? {
        key,
        run: (view: EditorView) => {
          run(view)
          return true
        },
      }
    : [],
)
const htmlTools = [
  { name: 'Underline', icon: IconUnderline, tag: 'u' },
  { name: 'Highlight', icon: IconHighlight, tag: 'mark' },
  { name: 'Subscript', icon: IconSubscript, tag: 'sub' },
  { name: 'Superscript', icon: IconSuperscript, tag: 'sup' },
].map(({ name, icon, tag }) => ({
  name,
  icon,
  run: (view: EditorView) => wrapSelection(view, `<${tag}>`, `</${tag}>`, 'text'),
}))

interface Props extends TextEditorProps {
  isPlain: boolean
}

/** The source editor for markdown, with a toolbar for its marks. */
export function SourceEditor({ label, text, hasHtml, isPlain, tools: end, children, ...on }: Props) {
  const [view, setView] = useState<EditorView>()
  return (
    <>
      {!isPlain && (
        <Toolbar end={end}>
          {[...tools, ...(hasHtml ? htmlTools : [])].map(({ name, icon, run }) => (
            <Tool key={name} name={name} icon={icon} onRun={() => view && run(view)} />
          ))}
        </Toolbar>
      )}
      <div className={styles.split}>
        <CodeEditor
          label={label}
          language={isPlain ? 'plain' : 'markdown'}
          value={text}
          onChange={on.onChange}
          minHeight={240}
          placeholderText={isPlain ? 'Write here.' : 'Write here. Paste or drop an image to upload it.'}
          onReady={(editor) => {
            setView(editor)
            on.onReady((asset) => insertText(editor, `${markupOf(asset, hasHtml)}\n`))
          }}
          {...(isPlain ? {} : { onFiles: on.onFiles, keys })}
        />
        {children}
      </div>
    </>
  )
}
