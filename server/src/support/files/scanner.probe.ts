import type { Probe } from '#platform/telemetry/health.ts'
import { askVersion } from '#platform/uploads/scan.ts'

export const scannerProbe: Probe = {
  name: 'scanner',
  title: 'Virus scanner',
  async check({ config }) {
    if (!config.scanner)
      return { status: 'not_connected', summary: 'No virus scanner is set up (CLAMD_URL). Files are not scanned.' }
    const version = await askVersion(config.scanner)
    return {
      status: 'ok',
      summary: 'The virus scanner is responding.',
      facts: [{ label: 'Version', value: version.slice(0, 100) }],
    }
  },
}
