/** A reply that a thread of its own has printed already: the main thread need not walk through it again. */
export class SerializedReply<T> {
  readonly text: string
  /** What the text says; only for the types. */
  declare readonly of: T

  constructor(text: string) {
    this.text = text
  }
}
