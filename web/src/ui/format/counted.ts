import { MAX_COUNTED, type Pagination } from '@limber/contract/kit/page.ts'

/** `2,340`. */
export const whole = (value: number | bigint) => value.toLocaleString('en-US')

/** `1 ticket`, `2,340 tickets`, `3 people`. */
export const counted = (count: number, one: string, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`

/** A number that was counted up to a bound: `2,340` or `More than 10,000`. */
export const wholeUpTo = (value: number, most = MAX_COUNTED) =>
  value > most ? `More than ${whole(most)}` : whole(value)

/** The rows of a list: `2,340 users`, or `More than 10,000 users` of one that was not counted to its end. */
export const countedRows = ({ totalItems, isMore }: Pick<Pagination, 'totalItems' | 'isMore'>, one: string) =>
  isMore ? `More than ${counted(totalItems, one)}` : counted(totalItems, one)
