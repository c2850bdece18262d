/** Lines of a year can be voided until January 31 of the next one, when W-2 forms are due. */
export const isYearOpen = (year: number, today: string) => today <= `${year + 1}-01-31`
