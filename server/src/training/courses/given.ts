type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** What was sent, without what was left out: a change of a record touches nothing else. */
export const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
