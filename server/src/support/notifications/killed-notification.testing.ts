import { readConfig } from '#platform/config.ts'
import { startServer } from '#serve.ts'
import { sendNotificationNow } from './send-notification.ts'

// A separate process that sends a notification and stops halfway through its second batch; the test kills it.
const FIRST_PORTION = 200
const { services } = await startServer(readConfig(process.env), { withJobs: false, channels: {} })
const { keyring } = services
let sealed = 0
services.keyring = {
  ...keyring,
  seal(purpose, text) {
    if (purpose === 'unsubscribe' && ++sealed > FIRST_PORTION + 50) {
      process.stdout.write('half-way\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
    return keyring.seal(purpose, text)
  },
}
await sendNotificationNow(services, Number(process.env.NOTIFICATION))
