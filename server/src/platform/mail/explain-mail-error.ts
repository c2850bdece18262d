import { withoutSecrets } from '../security/scrub.ts'

/** By the error codes of the mail libraries and of sockets. */
const summaries: Readonly<Record<string, string>> = {
  EAUTH: 'The server refused the user or the password.',
  ETLS: "Couldn't set up an encrypted connection. Check the security setting.",
  EENVELOPE: 'The server refused the sender or the recipient.',
  EMESSAGE: 'The server refused the email.',
  EDNS: "Couldn't find the server. Check its name.",
  ENOTFOUND: "Couldn't find the server. Check its name.",
  EAI_AGAIN: "Couldn't find the server. Check its name.",
  ECONNREFUSED: "Couldn't connect to the server. Check its name and port.",
  ECONNECTION: "Couldn't connect to the server. Check its name and port.",
  ECONNRESET: 'The server closed the connection. Check the port and the security setting.',
  ESOCKET: "Couldn't connect to the server. Check its name, port and security setting.",
  ETIMEDOUT: 'The server did not respond in time. Check its name, port and security setting.',
  ETIMEOUT: 'The server did not respond in time. Check its name, port and security setting.',
  CONNECT_TIMEOUT: 'The server did not respond in time. Check its name, port and security setting.',
  GREETING_TIMEOUT: 'The server did not respond in time. Check its name, port and security setting.',
  UPGRADE_TIMEOUT: 'The server did not respond in time. Check its name, port and security setting.',
  TOKEN: 'The sign-in service refused the refresh token.',
  TOKEN_SERVICE: 'The sign-in service did not answer. Check the token address.',
  KEY: 'The stored password cannot be opened. Enter it again.',
}

const MAX_ANSWER = 500

interface MailError {
  code?: string
  authenticationFailed?: boolean
  responseText?: string
  response?: unknown
  message?: string
}

/** What a failure tells the person: what happened, and what the server answered. */
export function explainMailError(
  error: unknown,
  secrets: readonly string[] = [],
  otherwise = 'The connection to the server failed.',
) {
  const { code, authenticationFailed, responseText, response, message } = (error ?? {}) as MailError
  const said = String(responseText || (typeof response === 'string' ? response : '') || message || 'no answer')
  let answer = said
  for (const secret of secrets) if (secret) answer = answer.replaceAll(secret, '…')
  answer = withoutSecrets(answer).replace(/\s+/g, ' ').slice(0, MAX_ANSWER)
  const known = authenticationFailed ? summaries.EAUTH : summaries[code ?? '']
  return { summary: known ?? otherwise, answer }
}
