import type { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number
}

/** A file as a listing shows it. */
export interface StoredFile {
  key: string
  size: number
  changedAt: Date
}

/** Where files live. Keys are made by us, never by a caller. */
export interface Storage {
  kind: 'disk' | 's3'
  /** A file appears whole or not at all. A stream of unknown size is carried in parts, in constant memory. */
  put(key: string, content: Readable | Buffer, options: { type: string; size?: number }): Promise<void>
  /** The content, or a part of it; nothing when there is no such file. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>
  size(key: string): Promise<number | undefined>
  delete(key: string): Promise<void>
  /** Every whole file whose key begins with the prefix, in the order of keys within a folder. */
  list(prefix: string): AsyncIterable<StoredFile>
  /**
   * Removes what interrupted puts left behind, and says how many. Where others may be writing meanwhile, only what has
   * not been touched since a moment is taken for left behind.
   */
  sweep(prefix: string, untouchedSince?: Date): Promise<number>
  /** Bytes left, where that can be known. */
  free(): Promise<number | undefined>
}

const wellFormed = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i

/** Refuses a key that is not a plain path. */
export function checkKey(key: string) {
  if (key.length > 300 || !wellFormed.test(key) || key.includes('..'))
    throw new Error('A storage key must be a plain path')
}
