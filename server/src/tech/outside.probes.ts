import { type Found, notConnected, type Probe } from '#platform/health.ts'
import { checkMailServer } from '#platform/mail.ts'
import { randomToken } from '#platform/secrets.ts'
import { sizeText } from './probe-words.rules.ts'

const mail: Probe = {
  name: 'mail',
  title: 'Mail',
  patience: 8_000,
  async look({ config }): Promise<Found> {
    if (!config.smtpUrl)
      return {
        status: 'not_connected',
        summary: config.isEmbedded
          ? 'No mail server is set up: mails stay in the mailbox of this machine.'
          : 'No mail server is set up (SMTP_URL): mails wait, and nobody can sign in from a new device.',
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

const LITTLE = 2e9
const NOTHING = 200e6

const storage: Probe = {
  name: 'storage',
  title: 'Files',
  patience: 8_000,
  async look({ storage: files, config }): Promise<Found> {
    const key = `probe/${randomToken(9)}.txt`
    const content = Buffer.from('probe')
    await files.put(key, content, { type: 'text/plain', size: content.length })
    const size = await files.size(key)
    await files.delete(key)
    if (size !== content.length) throw new Error('A file that was written could not be read again.')
    const free = await files.free()
    const where = files.kind === 'disk' ? 'the disk of this machine' : `the bucket ${config.s3?.bucket}`
    const facts = [
      { label: 'Where', value: where },
      ...(free === undefined ? [] : [{ label: 'Free', value: sizeText(free) }]),
    ]
    if (free !== undefined && free < LITTLE)
      return {
        status: free < NOTHING ? 'down' : 'warning',
        summary: `Only ${sizeText(free)} are left for files.`,
        facts,
      }
    const room = free === undefined ? '' : `, ${sizeText(free)} free`
    return { status: 'ok', summary: `Files can be written and read${room}.`, facts }
  },
}

/** What lies outside. An area that connects texts puts its own probe in the place of that one. */
export const outsideProbes: readonly Probe[] = [
  mail,
  notConnected('texts', 'Text messages', 'No text-message service is set up: text messages wait.'),
  storage,
]
