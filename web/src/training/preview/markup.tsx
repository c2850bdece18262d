import type { Formatting } from '@limber/contract/training/lessons/content.ts'
import { useMemo } from 'react'
import { useMediaHosts } from './media-hosts.ts'
import { renderMarkup } from './render-markup.ts'

interface Props {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

/** A text of a lesson, read and made safe. */
export function Markup({ text, formatting, allowHtml }: Props) {
  const hosts = useMediaHosts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: which media are shown follows from the hosts
  const html = useMemo(() => renderMarkup({ text, formatting, allowHtml }), [text, formatting, allowHtml, hosts])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkup ends in the sanitiser; the payload suite holds it to that
  return <div className="markup" dangerouslySetInnerHTML={{ __html: html }} />
}
