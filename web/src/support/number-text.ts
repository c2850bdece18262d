/** A number as people in its country read it; others stand as they are. */
export function numberText(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number)
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : number
}
