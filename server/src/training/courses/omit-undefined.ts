type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that were sent, without the omitted ones, so that an update leaves the rest unchanged. */
export const omitUndefined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
