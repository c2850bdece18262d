/** One line of the report: a ratio that must stay within its budget. */
export interface Result {
  name: string
  figure: string
  ratio: number
  budget: number
}
