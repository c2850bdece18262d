import type { Business } from '@limber/contract/businesses/business/business.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { ScheduleDialog } from '../sessions/schedule-dialog.tsx'
import { SessionDialog } from '../sessions/session-dialog.tsx'
import { blocksQuery } from './block.api.ts'

interface Props {
  business: Business
  /** The page of the block list. */
  page: number
  blockId: number
  onClose: () => void
}

/** The dialog for a block in the URL: its session when used, otherwise the form to schedule one. */
export default function BlockDialog({ business, page, blockId, onClose }: Props) {
  const { data, isPlaceholderData } = useQuery(blocksQuery(business.id, page))
  const block = data?.blocks.find(({ id }) => id === blockId)
  const isLost = data !== undefined && !isPlaceholderData && (!block || (block.is_used === 1 && !block.session))
  useEffect(() => {
    if (!isLost) return
    toastFailure('No session found for this block.')
    onClose()
  }, [isLost, onClose])
  if (!block || isLost) return null
  if (block.session) return <SessionDialog key={block.session.id} sessionId={block.session.id} onClose={onClose} />
  return <ScheduleDialog business={business} block={block} onClose={onClose} />
}
