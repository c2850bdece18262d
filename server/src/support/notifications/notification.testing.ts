import { eventually, type TestServer } from '#platform/testing/testing.ts'
import { resumeNotifications } from './send-notification.ts'

/** Delivers what is queued until the notification has ended, and returns it. */
export const untilEnded = <N extends { endedAt: string | null }>({ running }: TestServer, read: () => Promise<N>) =>
  eventually(async () => {
    await running.courier.run()
    await resumeNotifications(running.services)
    const found = await read()
    return found.endedAt ? found : undefined
  })
