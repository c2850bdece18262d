// What is used of the package. Its own declarations are for other module settings.
declare module 'standardwebhooks' {
  export class Webhook {
    constructor(secret: string)
    sign(messageId: string, timestamp: Date, payload: string): string
    verify(payload: string, headers: Record<string, string>): unknown
  }
}
