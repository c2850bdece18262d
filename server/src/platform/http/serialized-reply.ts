/** A reply that is already JSON, for example from a worker thread. The main thread does not serialize it again. */
export class SerializedReply<T> {
  readonly text: string
  /** Only for the type checker. */
  declare readonly of: T

  constructor(text: string) {
    this.text = text
  }
}
