import { eventually, type TestServer } from '#platform/testing/testing.ts'
import { tendNotifications } from './send-notification.ts'

/** A notification once it has ended, with the mails and texts that were left sent meanwhile. */
export const untilEnded = <N extends { endedAt: string | null }>({ running }: TestServer, read: () => Promise<N>) =>
  eventually(async () => {
    await running.courier.run()
    await tendNotifications(running.services)
    const found = await read()
    return found.endedAt ? found : undefined
  })
