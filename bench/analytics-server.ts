import { readConfig } from '../server/src/platform/config.ts'
import { startServer } from '../server/src/serve.ts'

// The product as it runs. A signal switches the recording of its own calls off, the next on again: what recording costs
// is the difference, in one process on one database.
const { services } = await startServer(readConfig(process.env))
const record = services.events.record.bind(services.events)
let isRecording = true
process.on('SIGUSR2', () => {
  isRecording = !isRecording
})
services.events.record = (event) => {
  if (isRecording) record(event)
}
