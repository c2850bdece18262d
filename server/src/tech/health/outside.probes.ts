import { randomUUID } from 'node:crypto'
import { formatBytes } from '@limber/contract/kit/formats/numbers.ts'
import { checkMailServer } from '#platform/mail/mail.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'

const mail: Probe = {
  name: 'mail',
  title: 'Mail',
  timeout: 8_000,
  async check({ config }): Promise<ProbeResult> {
    if (!config.smtpUrl)
      return {
        status: 'not_connected',
        summary: config.isEmbedded
          ? 'No mail server is set up: mails stay in the mailbox of this machine.'
          : 'No mail server is set up (SMTP_URL): mails wait. Only npm run limber -- mail shows sign-in codes.',
      }
    await checkMailServer(config.smtpUrl)
    return {
      status: 'ok',
      summary: 'The mail server answers.',
      facts: [
        { label: 'Server', value: new URL(config.smtpUrl).host },
        { label: 'Sender', value: config.mailFrom },
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
        summary: 'No text-message service is set up (TWILIO_ACCOUNT_SID): none leave and none come in.',
      }
    const account = await service.check()
    return {
      status: 'ok',
      summary: 'The text-message service answers.',
      facts: [
        { label: 'Account', value: account },
        { label: 'Number', value: service.number },
      ],
    }
  },
}

const LITTLE = 2e9
const NOTHING = 200e6

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
    if (size !== content.length) throw new Error('A file that was written could not be read again.')
    const free = await files.free()
    const where = files.kind === 'disk' ? 'the disk of this machine' : `the bucket ${config.s3?.bucket}`
    const facts = [
      { label: 'Where', value: where },
      ...(free === undefined ? [] : [{ label: 'Free', value: formatBytes(free) }]),
    ]
    if (free !== undefined && free < LITTLE)
      return {
        status: free < NOTHING ? 'down' : 'warning',
        summary: `Only ${formatBytes(free)} are left for files.`,
        facts,
      }
    const room = free === undefined ? '' : `, ${formatBytes(free)} free`
    return { status: 'ok', summary: `Files can be written and read${room}.`, facts }
  },
}

/** What lies outside; what one area alone uses has its probe there. */
export const outsideProbes: readonly Probe[] = [mail, texts, storage]
