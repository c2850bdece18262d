/** The options of a filter: any, or one of the values. */
export const optionsOf = (any: string, values: Iterable<string>) => [
  { value: '', label: any },
  ...[...values].map((value) => ({ value, label: value })),
]
