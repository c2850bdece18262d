import { readConfig } from '#platform/config.ts'
import { makeJobRunner } from '#platform/jobs/jobs.ts'
import { insertRun, SCHEDULE_QUEUE } from '#platform/jobs/schedules.ts'
import { startServer } from '../serve.ts'

// A separate process that starts a run and never finishes it. The test kills it.
const { services } = await startServer(readConfig(process.env), { withJobs: false })
const run = () => {
  process.stdout.write('begun\n')
  return new Promise(() => {})
}
const runner = makeJobRunner(services, [], [{ name: 'long', title: 'Long work', cron: '0 0 1 1 *', zone: 'UTC', run }])
await runner.start()
await runner.send(services.db, SCHEDULE_QUEUE, {
  runId: await insertRun(services.db, 'long', services.clock.now(), 'schedule'),
})
