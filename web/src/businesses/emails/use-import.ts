import { MAX_UPLOAD } from '@limber/contract/businesses/emails/allowed-email.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api/api.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { decodeText } from './decode-text.ts'
import { findNew } from './email.api.ts'
import { isNoText, linesText, readAddresses } from './read-addresses.ts'

const accepted = /\.(txt|csv|env)$/i

interface Summary {
  text: string
  hasProblem: boolean
  /** What the file held beside new addresses; none once they are uploaded. */
  rest?: { skipped: number; badLines: readonly number[] }
}

/** Reads a file of addresses in the browser and asks the server which of them are new. */
export function useImport(businessId: number) {
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [summary, setSummary] = useState<Summary>()

  const read = async (file: File, waiting: readonly string[]): Promise<readonly string[] | undefined> => {
    if (!accepted.test(file.name)) return refuse('Choose a .txt, .csv or .env file.')
    if (file.size > MAX_UPLOAD) return refuse('This file is larger than 16 MB.')
    const text = decodeText(await file.arrayBuffer())
    if (isNoText(text)) return refuse('This is not a text file with e-mail addresses.')
    const { addresses, repeated, badLines } = await readAddresses(text, (share) =>
      setProgress({ done: Math.round(share * text.length), total: text.length }),
    )
    const held = new Set(waiting)
    const others = addresses.filter((address) => !held.has(address))
    const fresh = await findNew({ businessId, addresses: others, tell: (done, total) => setProgress({ done, total }) })
    if (fresh.length === 0) return refuse('No new emails found in uploaded file.')
    const [again, known] = [addresses.length - others.length, others.length - fresh.length]
    const parts = [
      `${pluralize(fresh.length, 'new address', 'new addresses')} in ${file.name}`,
      known > 0 && `${formatInteger(known)} already on the list`,
      again > 0 && `${formatInteger(again)} waiting already`,
      repeated > 0 && `${formatInteger(repeated)} twice in the file`,
      badLines.length > 0 && `no address in ${linesText(badLines)}`,
    ].filter(Boolean)
    setSummary({
      text: `${parts.join(', ')}. Press Upload to add them.`,
      hasProblem: badLines.length > 0,
      rest: { skipped: known + again + repeated, badLines },
    })
    return fresh
  }
  const refuse = (text: string): undefined => {
    toastFailure(text)
  }
  /** The new addresses of a file, beside those that wait to be uploaded. */
  const bring = async (file: File, waiting: readonly string[]) => {
    setSummary(undefined)
    setProgress({ done: 0, total: 1 })
    try {
      return await read(file, waiting)
    } catch (error) {
      toastFailure(wordsOf(error))
      return undefined
    } finally {
      setProgress(undefined)
    }
  }
  /** What became of the file; whoever only typed addresses is told by a toast alone. */
  const conclude = ({ added, skipped }: { added: number; skipped: number }) => {
    if (!summary?.rest) return
    const { badLines } = summary.rest
    const where = badLines.length > 0 ? ` (${linesText(badLines)})` : ''
    const [all, bad] = [skipped + summary.rest.skipped, badLines.length].map(formatInteger)
    const text = `${formatInteger(added)} added, ${all} skipped, ${bad} invalid${where}.`
    setSummary({ text, hasProblem: summary.hasProblem })
  }
  const forget = () => setSummary(undefined)
  return { bring, progress, summary, isReading: progress !== undefined, conclude, forget }
}
