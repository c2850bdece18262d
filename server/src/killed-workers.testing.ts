import { readConfig } from '#platform/config.ts'
import { type JobRunner, makeJobRunner } from '#platform/jobs/jobs.ts'
import { jobs, schedules } from './app.ts'
import { startServer } from './serve.ts'

// A separate process that starts all background work and never completes it; the test kills it. The test also points it
// to a Meta API that never responds.
const hang = () => new Promise<never>(() => {})
const runner = Promise.withResolvers<JobRunner>()
const { services } = await startServer(readConfig(process.env), {
  withJobs: false,
  channels: {
    mail: hang,
    async job(payload) {
      const { name, data } = payload as { name: string; data: Record<string, unknown> }
      await (await runner.promise).send(services.db, name, data)
      return {}
    },
  },
})
const storage = { ...services.storage, put: hang }
const hanging = schedules.map((schedule) => ({ ...schedule, run: hang }))
const started = makeJobRunner({ ...services, storage }, jobs, hanging)
await started.start()
runner.resolve(started)
