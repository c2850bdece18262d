import { readConfig } from '../../server/src/platform/config.ts'
import { startServer } from '../../server/src/serve.ts'

// The product several times in one process, on ports that follow PORT: without telemetry, with traces of a share of the
// calls, with traces of all, with metrics, and without telemetry again. Two processes differ by more than telemetry costs.
const { OTEL_EXPORTER_OTLP_ENDPOINT, ...bare } = process.env
const forms = [
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.1' },
  { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '1' },
  { METRICS_KEY: 'bench-metrics-0123456789' },
  {},
]
for (const [at, settings] of forms.entries())
  await startServer(readConfig({ ...bare, ...settings, PORT: String(Number(process.env.PORT) + at) }), {
    withJobs: false,
  })
// Ticks of 10 ms, as the system counts them, are too coarse.
process.on('message', () => process.send?.(process.cpuUsage()))
process.send?.('ready')
