import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { retryDead } from '@limber/contract/tech/integrations/integration.ts'
import { send } from '#platform/api/api.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { deliveriesText } from './integration-labels.ts'

/** Asks, then retries all failed deliveries. */
export const retryAll = (dead: number) =>
  act(() => send(retryDead, { body: {} }), {
    ask: {
      title: `Retry ${pluralize(dead, 'failed delivery', 'failed deliveries')}?`,
      body: 'Each one is sent now, with up to ten more attempts if it fails. Outdated messages are sent too. What is sent cannot be taken back.',
      action: 'Retry all',
    },
    done: ({ retried }) => toast(`Retrying ${deliveriesText(retried)}.`),
    failed: "Couldn't retry the deliveries",
  })
