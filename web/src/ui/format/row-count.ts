import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_COUNTED, type Pagination } from '@limber/contract/kit/page.ts'

/** A count that stops at a maximum: `2,340` or `More than 10,000`. */
export const formatUpTo = (value: number, max = MAX_COUNTED) =>
  value > max ? `More than ${formatInteger(max)}` : formatInteger(value)

/** The row count of a list: `2,340 users`, or `More than 10,000 users` when counting stopped early. */
export const pluralizeRows = ({ totalItems, isMore }: Pick<Pagination, 'totalItems' | 'isMore'>, one: string) =>
  isMore ? `More than ${pluralize(totalItems, one)}` : pluralize(totalItems, one)
