/** Whether the texts together contain every typed word. */
export function matches(typed: string, ...texts: string[]): boolean {
  const hay = texts.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}
