/** Does any of the texts hold every word that was typed? */
export function matches(typed: string, ...texts: string[]): boolean {
  const hay = texts.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}
