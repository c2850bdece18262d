/** The command that shows mails where there is no mail server. */
export const ReadMails = () => <code>npm run limber -- mail</code>
