import { readConfig } from '../../server/src/platform/config.ts'
import { startServer } from '../../server/src/serve.ts'

// The product with a switch: SIGUSR2 turns the recording of its own calls off and on, to measure what recording costs in
// one process on one database.
const { services } = await startServer(readConfig(process.env))
const record = services.events.record.bind(services.events)
let isRecording = true
process.on('SIGUSR2', () => {
  isRecording = !isRecording
})
services.events.record = (event) => {
  if (isRecording) record(event)
}
