import type { EditorView } from '@codemirror/view'
import { ActionIcon, Tooltip } from '@mantine/core'
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
import type { ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import { insertText, prefixLines, wrapSelection } from './code-editor.tsx'
import styles from './editors.module.css'

const TABLE = '\n| Column | Column |\n| --- | --- |\n|  |  |\n'

const tools = [
  { name: 'Heading', icon: IconH2, run: (view: EditorView) => prefixLines(view, () => '## ') },
  { name: 'Subheading', icon: IconH3, run: (view: EditorView) => prefixLines(view, () => '### ') },
  { name: 'Bold', icon: IconBold, run: (view: EditorView) => wrapSelection(view, '**', '**', 'bold') },
  { name: 'Italic', icon: IconItalic, run: (view: EditorView) => wrapSelection(view, '_', '_', 'italic') },
  {
    name: 'Strike through',
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
  { name: 'Line', icon: IconLine, run: (view: EditorView) => insertText(view, '\n\n---\n\n') },
]
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

interface Props {
  view: EditorView | undefined
  /** HTML may be written: what markdown has no marks for. */
  hasHtml: boolean
  children?: ReactNode
}

/** Marks for those who do not know them by heart. */
export function TextToolbar({ view, hasHtml, children }: Props) {
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Formatting">
      {[...tools, ...(hasHtml ? htmlTools : [])].map(({ name, icon, run }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon size={28} variant="subtle" color="gray" aria-label={name} onClick={() => view && run(view)}>
            <Icon of={icon} />
          </ActionIcon>
        </Tooltip>
      ))}
      {children && <span className={styles.toolbarEnd}>{children}</span>}
    </div>
  )
}
