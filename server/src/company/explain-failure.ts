import { withoutSecrets } from '#platform/security/scrub.ts'

/** Error codes of the mail library. */
const summaries: Readonly<Record<string, string>> = {
  EAUTH: 'The server refused the user or the password.',
  ETLS: "Couldn't set up an encrypted connection. Check the security setting.",
  EENVELOPE: 'The server refused the sender or the recipient.',
  EMESSAGE: 'The server refused the email.',
  EDNS: "Couldn't find the server. Check its name.",
  ECONNECTION: "Couldn't connect to the server. Check its name and port.",
  ESOCKET: "Couldn't connect to the server. Check its name, port and security setting.",
  ETIMEDOUT: 'The server did not respond in time. Check its name, port and security setting.',
}

const MAX_ANSWER = 500

/** What a failed test tells the person: what happened, and what the server answered. */
export function explainFailure(error: unknown, password: string): { summary: string; answer: string } {
  const { code, response, message } = error as { code?: string; response?: string; message?: string }
  const said = String(response || message || 'no answer')
  const answer = withoutSecrets(password ? said.replaceAll(password, '…') : said)
    .replace(/\s+/g, ' ')
    .slice(0, MAX_ANSWER)
  return { summary: summaries[code ?? ''] ?? 'The test email was not sent.', answer }
}
