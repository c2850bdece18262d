import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { foldCase, isAddress } from '@limber/contract/kit/values.ts'
import type { RowItem } from '../make-item.ts'
import { KeyTable } from './key-table.ts'

/** A cell that is no address is rejected by itself, and two of them are not the same person. */
const addressOf = (value: unknown) => (typeof value === 'string' && isAddress(value.trim()) ? value.trim() : undefined)

/** The keys by which rows are the same record. Two leads with one phone number are the same person. */
const keysOf = ({ external_id, email, phone, custom_path, business }: RowItem, hasPhones: boolean) =>
  (
    [
      ['ID', external_id],
      ['email', typeof business === 'string' ? `${business} ${addressOf(email)}` : addressOf(email)],
      ['phone', hasPhones ? phone : undefined],
      ['custom path', custom_path],
    ] as const
  ).flatMap(([name, value]) => (typeof value === 'string' ? [[name, foldCase(value)] as const] : []))

/** Finds rows that repeat an earlier one of the file. */
export class Twins {
  readonly #lines = new KeyTable()
  readonly #hasPhones: boolean

  constructor(hasPhones: boolean) {
    this.#hasPhones = hasPhones
  }

  /** Which earlier row has the same key. When there is none, the row is remembered. */
  find(item: RowItem, line: number): string | undefined {
    const keys = keysOf(item, this.#hasPhones)
    for (const [name, value] of keys) {
      const earlier = this.#lines.get(`${name} ${value}`)
      if (earlier !== undefined) return `Same ${name} as line ${formatInteger(earlier)}.`
    }
    for (const [name, value] of keys) this.#lines.set(`${name} ${value}`, line)
    return undefined
  }
}
