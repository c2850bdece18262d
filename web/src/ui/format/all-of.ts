const list = new Intl.ListFormat('en')

/** Names as they are said: 'a', 'a and b', 'a, b, and c'. */
export const allOf = (names: readonly string[]) => list.format(names)
