import type { OutboxMessage } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'

interface Person {
  id: number
  email: string
  name: string
}

const mail = (key: string, about: string, content: Mail): OutboxMessage => ({
  channel: 'mail',
  key,
  about,
  payload: content,
})

// Each in a paragraph of its own.
const notYou = "\nIf this wasn't you, tell a colleague who manages access right away."
const unexpected = "\nIf you didn't expect this, tell a colleague who manages access right away."
const greet = (name: string, ...lines: string[]) => [`Hi ${name},`, '', ...lines, '', 'Limber'].join('\n')

/** The emails of the access area. Links use only the configured public URL. */
export const accessMails = {
  deviceCode: (key: string, to: string, code: string) =>
    mail(`device-code:${key}`, 'device code', {
      to,
      subject: 'Your Limber sign-in code',
      text: [
        `Your code is ${code}.`,
        '',
        'It works for 10 minutes, and only in the browser where you are signing in. No one will ever ask you for it.',
        "If you aren't signing in, you can ignore this email.",
      ].join('\n'),
    }),
  invitation: (linkId: number, person: Person, link: string) =>
    mail(`link:${linkId}`, `onboarding link for worker ${person.id}`, {
      to: person.email,
      subject: 'Set up your Limber account',
      text: greet(
        person.name,
        'You have been invited to Limber. Set up your passkey and two-factor codes here:',
        '',
        link,
        '',
        'The link works once and expires in 7 days.',
      ),
    }),
  recoveryLink: (linkId: number, person: Person, link: string) =>
    mail(`link:${linkId}`, `recovery link for worker ${person.id}`, {
      to: person.email,
      subject: 'Recover your Limber access',
      text: greet(
        person.name,
        'Set up a new passkey and new two-factor codes here:',
        '',
        link,
        '',
        'When you finish, your old passkeys stop working and you are signed out everywhere.',
        unexpected,
      ),
    }),
  recoveryAsked: (requestId: number, person: Person) =>
    mail(`recovery-asked:${requestId}`, `recovery request of worker ${person.id}`, {
      to: person.email,
      subject: 'Someone asked to recover your Limber access',
      text: greet(
        person.name,
        'Someone asked to recover access to your account. A colleague who manages access will decide.',
        'If you have a recovery code, you can use it on the same page and skip the wait.',
        notYou,
      ),
    }),
  recoveryToDecide: (requestId: number, person: Person, approver: Person, page: string) =>
    mail(`recovery-decide:${requestId}:${approver.id}`, `recovery request of worker ${person.id}`, {
      to: approver.email,
      subject: `${oneLine(person.name)} asked to recover access`,
      text: greet(
        approver.name,
        `${person.name} (${person.email}) asked to recover access. Talk to them in person or by phone before you approve.`,
        '',
        page,
      ),
    }),
  recoveryDecided: (requestId: number, person: Person, reader: Person, outcome: 'approved' | 'denied', by: string) =>
    mail(`recovery-${outcome}:${requestId}:${reader.id}`, `recovery ${outcome} for worker ${person.id}`, {
      to: reader.email,
      subject:
        reader.id === person.id
          ? `Your request to recover Limber access was ${outcome}`
          : `Access recovery for ${oneLine(person.name)} was ${outcome}`,
      text: greet(
        reader.name,
        reader.id === person.id
          ? `${by} ${outcome} your request to recover access.`
          : `${by} ${outcome} access recovery for ${person.name} (${person.email}).`,
        unexpected,
      ),
    }),
  recoveryCodeUsed: (codeId: number, person: Person) =>
    mail(`recovery-code:${codeId}`, `recovery code of worker ${person.id} used`, {
      to: person.email,
      subject: 'A recovery code for your Limber account was used',
      text: greet(person.name, 'One of your recovery codes was used to request a new link.', notYou),
    }),
  recovered: (linkId: number, person: Person, reader: Person) =>
    mail(`recovered:${linkId}:${reader.id}`, `access of worker ${person.id} recovered`, {
      to: reader.email,
      subject:
        reader.id === person.id ? 'You recovered your Limber access' : `${oneLine(person.name)} recovered access`,
      text:
        reader.id === person.id
          ? greet(
              reader.name,
              'You set up a new passkey and new two-factor codes. Your old passkeys, known browsers, and sessions no longer work.',
              notYou,
            )
          : greet(
              reader.name,
              `${person.name} (${person.email}) set up a new passkey and new two-factor codes. Their old passkeys, known browsers, and sessions no longer work.`,
              unexpected,
            ),
    }),
  /** Goes to the old address. It does not name the new one, because the old one may belong to a stranger. */
  oldAddressNotice: (key: string, person: Person) =>
    mail(`address-left:${key}`, `email of worker ${person.id} changed`, {
      to: person.email,
      subject: 'The email of your Limber account was changed',
      text: greet(person.name, 'Sign-in codes and links are no longer sent to this address.', unexpected),
    }),
  newAddressNotice: (key: string, person: Person) =>
    mail(`address-taken:${key}`, `email of worker ${person.id} changed`, {
      to: person.email,
      subject: 'Your Limber account now uses this email',
      text: greet(
        person.name,
        'Use this address to sign in from now on. Sign-in codes and links come here.',
        unexpected,
      ),
    }),
  newPasskey: (passkeyId: number, person: Person, name: string) =>
    mail(`new-passkey:${passkeyId}`, `new passkey of worker ${person.id}`, {
      to: person.email,
      subject: 'A passkey was added to your Limber account',
      text: greet(person.name, `A new passkey was added: ${name}.`, notYou),
    }),
  newDevice: (deviceId: number, person: Person, label: string) =>
    mail(`new-device:${deviceId}`, `new device of worker ${person.id}`, {
      to: person.email,
      subject: 'A new browser signed in to your Limber account',
      text: greet(person.name, `A new browser signed in to your account: ${label}.`, notYou),
    }),
  failedCodes: (key: string, person: Person) =>
    mail(`failed-codes:${key}`, `failed codes of worker ${person.id}`, {
      to: person.email,
      subject: 'Several incorrect codes for your Limber account',
      text: greet(
        person.name,
        'Five incorrect codes in a row were entered for your account. No one was signed in.',
        notYou,
      ),
    }),
  twoFactorOff: (key: string, person: Person) =>
    mail(`two-factor-off:${key}`, `two-factor codes of worker ${person.id} turned off`, {
      to: person.email,
      subject: 'Your Limber two-factor codes were turned off',
      text: greet(
        person.name,
        'Too many incorrect codes were entered in a row, so your authenticator app no longer works with Limber. Ask for a new link to sign in again.',
        notYou,
      ),
    }),
  possibleClone: (key: string, person: Person) =>
    mail(`possible-clone:${key}`, `passkey of worker ${person.id} may have been copied`, {
      to: person.email,
      subject: 'One of your Limber passkeys may have been copied',
      text: greet(
        person.name,
        'Someone tried to sign in with what may be a copy of one of your passkeys. The sign-in was blocked. Remove that passkey under My profile.',
        notYou,
      ),
    }),
  authenticatorReplaced: (key: string, person: Person) =>
    mail(`authenticator-replaced:${key}`, `authenticator app of worker ${person.id} replaced`, {
      to: person.email,
      subject: 'Your Limber authenticator app was replaced',
      text: greet(person.name, 'Codes from the old app no longer work.', notYou),
    }),
  codesRenewed: (key: string, person: Person) =>
    mail(`codes-renewed:${key}`, `recovery codes of worker ${person.id} renewed`, {
      to: person.email,
      subject: 'Your Limber recovery codes were replaced',
      text: greet(person.name, 'Ten new recovery codes were generated. The old ones no longer work.', notYou),
    }),
}

const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, ' ').slice(0, 120)
