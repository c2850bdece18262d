import type { Asset } from '@limber/contract/training/assets/asset.ts'
import type { ReactNode } from 'react'

/** Props shared by the visual and the source editor. */
export interface TextEditorProps {
  label: string
  text: string
  hasHtml: boolean
  onChange: (text: string) => void
  /** Called with pasted or dropped files. */
  onFiles: (files: File[]) => void
  /** Receives a function that inserts a file at the cursor. */
  onReady: (insert: (asset: Asset) => void) => void
  /** Shown at the end of the toolbar. */
  tools: ReactNode
  /** Shown next to the text. */
  children: ReactNode
}
