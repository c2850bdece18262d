import { useState } from 'react'
import type { DraftMacro } from '#support/tickets/thread/ticket-draft.ts'
import type { ReplyFacts } from './fill-reply.ts'
import { ManageReplies } from './manage-replies.tsx'
import { type MacroRun, ReplyPicker } from './reply-picker.tsx'
import { SaveReply } from './save-reply.tsx'

interface Props {
  facts: ReplyFacts
  /** The text in the reply box. */
  typed: string
  onInsert: (words: string, macro?: DraftMacro) => void
  onRun: ((run: MacroRun) => void) | undefined
  onClose: () => void
}

/** The picker for saved replies, with forms to add and manage them. */
export default function SavedReplies({ facts, typed, onInsert, onRun, onClose }: Props) {
  const [layer, setLayer] = useState<'pick' | 'save' | 'manage'>('pick')
  if (layer === 'save') return <SaveReply content={typed} onClose={onClose} />
  if (layer === 'manage') return <ManageReplies onClose={onClose} />
  return <ReplyPicker {...{ facts, typed, onInsert, onRun, onClose }} onLayer={setLayer} />
}
