/** One line of the table: what was measured, as a ratio that must stay within its budget. */
export interface Result {
  name: string
  figure: string
  ratio: number
  budget: number
}
