type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that were sent, without the omitted ones, so that an update leaves the rest unchanged. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
