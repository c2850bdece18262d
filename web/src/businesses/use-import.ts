import { MOST_UPLOAD } from '@limber/contract/businesses/allowed-email.ts'
import { useState } from 'react'
import { wordsOf } from '#platform/api.ts'
import { counted, whole } from '#ui/counted.ts'
import { toastFailure } from '#ui/toast-store.ts'
import { countNew } from './email.api.ts'
import { isNoText, linesText, readAddresses } from './read-addresses.ts'

const accepted = /\.(txt|csv|env)$/i

interface Summary {
  text: string
  hasProblem: boolean
  /** What the file held beside addresses that may be new; none once it is uploaded. */
  rest?: { repeated: number; badLines: readonly number[] }
}

/** Reads a file of addresses in the browser and asks the server which of them are new. */
export function useImport(businessId: number) {
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const [summary, setSummary] = useState<Summary>()

  const read = async (file: File): Promise<readonly string[] | undefined> => {
    if (!accepted.test(file.name)) return refuse('Choose a .txt, .csv or .env file.')
    if (file.size > MOST_UPLOAD) return refuse('This file is larger than 16 MB.')
    const text = await file.text()
    if (isNoText(text)) return refuse('This is not a text file with e-mail addresses.')
    const { addresses, repeated, badLines } = await readAddresses(text, (share) =>
      setProgress({ done: Math.round(share * text.length), total: text.length }),
    )
    const fresh =
      addresses.length === 0
        ? 0
        : await countNew({ businessId, addresses, tell: (done, total) => setProgress({ done, total }) })
    if (fresh === 0) return refuse('No new emails found in uploaded file.')
    const known = addresses.length - fresh
    const parts = [
      `${counted(fresh, 'new address', 'new addresses')} in ${file.name}`,
      known > 0 && `${whole(known)} already on the list`,
      repeated > 0 && `${whole(repeated)} twice in the file`,
      badLines.length > 0 && `no address in ${linesText(badLines)}`,
    ].filter(Boolean)
    setSummary({
      text: `${parts.join(', ')}. Press Upload to add them.`,
      hasProblem: badLines.length > 0,
      rest: { repeated, badLines },
    })
    return addresses
  }
  const refuse = (text: string): undefined => {
    toastFailure(text)
  }
  const bring = async (file: File) => {
    setSummary(undefined)
    setProgress({ done: 0, total: 1 })
    try {
      return await read(file)
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
    const { repeated, badLines } = summary.rest
    const where = badLines.length > 0 ? ` (${linesText(badLines)})` : ''
    const [all, bad] = [skipped + repeated, badLines.length].map(whole)
    const text = `${whole(added)} added, ${all} skipped, ${bad} invalid${where}.`
    setSummary({ text, hasProblem: summary.hasProblem })
  }
  const forget = () => setSummary(undefined)
  return { bring, progress, summary, isReading: progress !== undefined, conclude, forget }
}
