import { randomUUID } from 'node:crypto'
import { formatBytes } from '@limber/contract/kit/formats/numbers.ts'
import { senderText } from '#platform/company/mail-connection.ts'
import { checkMailServer } from '#platform/mail/mail.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'

const mail: Probe = {
  name: 'mail',
  title: 'Email',
  timeout: 8_000,
  async check({ config, company }): Promise<ProbeResult> {
    const { mail: connection, sender } = company.current()
    if (!connection)
      return {
        status: 'not_connected',
        summary: config.isEmbedded
          ? 'No mail server is set up. Emails stay in the local mailbox of this machine.'
          : 'No mail server is set up (Company, or SMTP_URL). Emails are waiting. To see sign-in codes, run npm run limber -- mail.',
      }
    await checkMailServer(connection)
    return {
      status: 'ok',
      summary: 'The mail server is responding.',
      facts: [
        { label: 'Server', value: connection.label },
        { label: 'Sender', value: senderText(sender) },
      ],
    }
  },
}

const texts: Probe = {
  name: 'texts',
  title: 'Text messages',
  timeout: 8_000,
  async check({ texts: service }): Promise<ProbeResult> {
    if (!service)
      return {
        status: 'not_connected',
        summary: 'No text message service is set up (TWILIO_ACCOUNT_SID). Text messages are neither sent nor received.',
      }
    const account = await service.check()
    return {
      status: 'ok',
      summary: 'The text message service is responding.',
      facts: [
        { label: 'Account', value: account },
        { label: 'Number', value: service.number },
      ],
    }
  },
}

const LOW_SPACE = 2e9
const CRITICAL_SPACE = 200e6

const storage: Probe = {
  name: 'storage',
  title: 'Files',
  timeout: 8_000,
  async check({ storage: files, config }): Promise<ProbeResult> {
    const key = `probe/${randomUUID()}.txt`
    const content = Buffer.from('probe')
    await files.put(key, content, { type: 'text/plain', size: content.length })
    const size = await files.size(key)
    await files.delete(key)
    if (size !== content.length) throw new Error('A test file was written but could not be read.')
    const free = await files.free()
    const where = files.kind === 'disk' ? 'local disk' : `bucket ${config.s3?.bucket}`
    const facts = [
      { label: 'Location', value: where },
      ...(free === undefined ? [] : [{ label: 'Free', value: formatBytes(free) }]),
    ]
    if (free !== undefined && free < LOW_SPACE)
      return {
        status: free < CRITICAL_SPACE ? 'down' : 'warning',
        summary: `Only ${formatBytes(free)} of space left for files.`,
        facts,
      }
    const room = free === undefined ? '' : `, ${formatBytes(free)} free`
    return { status: 'ok', summary: `Files can be written and read${room}.`, facts }
  },
}

/** External services. Services used by a single area have their probe in that area. */
export const outsideProbes: readonly Probe[] = [mail, texts, storage]
