/** A LIKE pattern that finds the text itself: wildcards in it stand for themselves. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
