import { MAX_UPLOAD } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { decodeText } from './decode-text.ts'
import { findNew } from './email.api.ts'
import { isNotText, linesText, readAddresses } from './read-addresses.ts'

const accepted = /\.(txt|csv|env)$/i

interface Summary {
  text: string
  hasProblem: boolean
  /** A summary of the file besides the new addresses; undefined after they are uploaded. */
  rest?: { skipped: number; badLines: readonly number[] }
}

/** Reads a file of addresses in the browser and asks the server which of them are new. */
export function useImport(businessId: number) {
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [summary, setSummary] = useState<Summary>()

  const read = async (file: File, waiting: readonly string[]): Promise<readonly string[] | undefined> => {
    if (!accepted.test(file.name)) return refuse('Select a .txt, .csv or .env file.')
    if (file.size > MAX_UPLOAD) return refuse('This file is larger than 16 MB.')
    const text = decodeText(await file.arrayBuffer())
    if (isNotText(text)) return refuse('This is not a text file with email addresses.')
    const { addresses, repeated, badLines } = await readAddresses(text, (share) =>
      setProgress({ done: Math.round(share * text.length), total: text.length }),
    )
    const held = new Set(waiting)
    const others = addresses.filter((address) => !held.has(address))
    const fresh = await findNew({
      businessId,
      addresses: others,
      onProgress: (done, total) => setProgress({ done, total }),
    })
    if (fresh.length === 0) return refuse('No new emails found in uploaded file.')
    const [again, known] = [addresses.length - others.length, others.length - fresh.length]
    const parts = [
      `${pluralize(fresh.length, 'new address', 'new addresses')} in ${file.name}`,
      known > 0 && `${formatInteger(known)} already on the list`,
      again > 0 && `${formatInteger(again)} already waiting`,
      repeated > 0 && `${formatInteger(repeated)} twice in the file`,
      badLines.length > 0 && `no address in ${linesText(badLines)}`,
    ].filter(Boolean)
    setSummary({
      text: `${parts.join(', ')}. Select Upload to add them.`,
      hasProblem: badLines.length > 0,
      rest: { skipped: known + again + repeated, badLines },
    })
    return fresh
  }
  const refuse = (text: string): undefined => {
    toastFailure(text)
  }
  /** The new addresses of a file, next to those waiting for upload. */
  const importFile = async (file: File, waiting: readonly string[]) => {
    setSummary(undefined)
    setProgress({ done: 0, total: 1 })
    try {
      return await read(file, waiting)
    } catch (error) {
      toastFailure(messageOf(error))
      return undefined
    } finally {
      setProgress(undefined)
    }
  }
  /** The result of the file. Typed addresses are only confirmed by a toast. */
  const finish = ({ added, skipped }: { added: number; skipped: number }) => {
    if (!summary?.rest) return
    const { badLines } = summary.rest
    const where = badLines.length > 0 ? ` (${linesText(badLines)})` : ''
    const [all, bad] = [skipped + summary.rest.skipped, badLines.length].map(formatInteger)
    const text = `${formatInteger(added)} added, ${all} skipped, ${bad} invalid${where}.`
    setSummary({ text, hasProblem: summary.hasProblem })
  }
  const clear = () => setSummary(undefined)
  return { bring: importFile, progress, summary, isReading: progress !== undefined, conclude: finish, forget: clear }
}
