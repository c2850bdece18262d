import { readConfig } from '#platform/config.ts'
import { startServer } from '#serve.ts'
import { sendNotificationNow } from './send-notification.ts'

// A process of its own that sends a notification and halts in the midst of its second portion; the test kills it.
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
