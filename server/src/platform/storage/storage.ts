import type { Readable } from 'node:stream'

export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  key: string
  size: number
  changedAt: Date
}

/** File storage. Keys come from our code, never from a caller. */
export interface Storage {
  kind: 'disk' | 's3'
  /** Writes are atomic. A stream of unknown size is uploaded in parts, in constant memory. */
  put(key: string, content: Readable | Buffer, options: { type: string; size?: number }): Promise<void>
  /** The content or a range of it; undefined when the file does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>
  size(key: string): Promise<number | undefined>
  delete(key: string): Promise<void>
  /** All complete files by key prefix, sorted within each folder. */
  list(prefix: string): AsyncIterable<StoredFile>
  /**
   * Removes the partial files of interrupted writes and returns how many. With `untouchedSince`, newer ones stay, because
   * their writes may still be running.
   */
  sweep(prefix: string, untouchedSince?: Date): Promise<number>
  /** Bytes left, where that can be known. */
  free(): Promise<number | undefined>
}

/** The storage is missing, cannot be reached or refuses us. The message says which, for whoever runs the server. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

const wellFormed = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/i

export function checkKey(key: string) {
  if (key.length > 300 || !wellFormed.test(key) || key.includes('..'))
    throw new Error('A storage key must be a plain path')
}
