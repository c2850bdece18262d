import {
  createBlock,
  deleteBlock,
  listBlocks,
  listUnusedBlocks,
  readLedger,
  updateBlock,
} from '@limber/contract/businesses/blocks/block.ts'
import {
  activateBlock,
  cancelSession,
  changeStretcher,
  listCandidates,
  markNotHeld,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { businessesKey, businessKey, useChange } from '../business/business.api.ts'

/** Blocks per page. */
const BLOCK_PAGE = 50

export const blocksQuery = (businessId: number, page: number) =>
  queryOptions({
    queryKey: [...businessKey(businessId), 'blocks', page],
    queryFn: ({ signal }) =>
      send(listBlocks, { body: { business_id: businessId, page, limit: BLOCK_PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const unusedBlocksQuery = queryOptions({
  queryKey: [...businessesKey, 'unused-blocks'],
  queryFn: ({ signal }) => send(listUnusedBlocks, {}, { signal }),
})

export const ledgerQuery = (businessId: number) =>
  queryOptions({
    queryKey: [...businessKey(businessId), 'ledger'],
    queryFn: ({ signal }) => send(readLedger, { params: { id: String(businessId) } }, { signal }),
  })

export const candidatesQuery = (blockId: number, startsAt: Date | undefined) =>
  queryOptions({
    queryKey: [...businessesKey, 'candidates', blockId, startsAt?.toISOString() ?? ''],
    queryFn: ({ signal }) =>
      send(
        listCandidates,
        { body: { prepaid_block_id: blockId, starts_at: startsAt?.toISOString() ?? '' } },
        { signal },
      ),
    enabled: startsAt !== undefined,
    placeholderData: keepPreviousData,
  })

export const sessionQuery = (id: number) =>
  queryOptions({
    queryKey: [...businessesKey, 'session', id],
    queryFn: ({ signal }) => send(readSession, { params: { id: String(id) } }, { signal }),
    enabled: id > 0,
  })

export const useCreateBlock = () =>
  useChange((body: InputOf<typeof createBlock>['body']) => send(createBlock, { body }))
export const useUpdateBlock = () =>
  useChange((body: InputOf<typeof updateBlock>['body']) => send(updateBlock, { body }))
export const useDeleteBlock = () =>
  useChange((body: InputOf<typeof deleteBlock>['body']) => send(deleteBlock, { body }))
export const useActivate = () =>
  useChange((body: InputOf<typeof activateBlock>['body']) => send(activateBlock, { body }))
export const useReschedule = () =>
  useChange((body: InputOf<typeof rescheduleSession>['body']) => send(rescheduleSession, { body }))
export const useChangeStretcher = () =>
  useChange((body: InputOf<typeof changeStretcher>['body']) => send(changeStretcher, { body }))
export const useCancelSession = () =>
  useChange((body: InputOf<typeof cancelSession>['body']) => send(cancelSession, { body }))
export const useMarkNotHeld = () =>
  useChange((body: InputOf<typeof markNotHeld>['body']) => send(markNotHeld, { body }))
