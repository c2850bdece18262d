import type { Asset } from '@limber/contract/training/assets/asset.ts'
import type { ReactNode } from 'react'

/** What the editor of a text as it looks and the one of its source have in common. */
export interface TextEditorProps {
  label: string
  text: string
  hasHtml: boolean
  onChange: (text: string) => void
  /** Files that were pasted or dropped. */
  onFiles: (files: File[]) => void
  /** How a file is put at the cursor. */
  onReady: (insert: (asset: Asset) => void) => void
  /** At the end of the toolbar. */
  tools: ReactNode
  /** Beside the text. */
  children: ReactNode
}
