import { useState } from 'react'
import type { ReplyFacts } from './fill-reply.ts'
import { ManageReplies } from './manage-replies.tsx'
import { ReplyPicker } from './reply-picker.tsx'
import { SaveReply } from './save-reply.tsx'

interface Props {
  facts: ReplyFacts
  /** What stands in the box. */
  typed: string
  onInsert: (words: string) => void
  onClose: () => void
}

/** The saved replies to choose from, with the ways to add to them and to put them in order. */
export default function SavedReplies({ facts, typed, onInsert, onClose }: Props) {
  const [layer, setLayer] = useState<'pick' | 'save' | 'manage'>('pick')
  if (layer === 'save') return <SaveReply content={typed} onClose={onClose} />
  if (layer === 'manage') return <ManageReplies onClose={onClose} />
  return <ReplyPicker facts={facts} typed={typed} onInsert={onInsert} onLayer={setLayer} onClose={onClose} />
}
