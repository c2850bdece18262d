/** What a filter offers: anything, or one of the values. */
export const optionsOf = (any: string, values: Iterable<string>) => [
  { value: '', label: any },
  ...[...values].map((value) => ({ value, label: value })),
]
