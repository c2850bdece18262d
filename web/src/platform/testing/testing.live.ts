/** A fake EventSource that tests control. */
export class FakeEventSource {
  static readonly all: FakeEventSource[] = []
  readonly url: string
  isClosed = false
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null

  constructor(url: string) {
    this.url = url
    FakeEventSource.all.push(this)
  }

  close(): void {
    this.isClosed = true
  }

  static get last(): FakeEventSource {
    const last = FakeEventSource.all.at(-1)
    if (!last) throw new Error('No live connection is open')
    return last
  }
}
