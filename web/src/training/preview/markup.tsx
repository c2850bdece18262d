import type { Formatting } from '@limber/contract/training/lessons/content.ts'
import { useMemo } from 'react'
import { useMediaHosts } from './media-hosts.ts'
import { renderMarkup } from './render-markup.ts'

interface Props {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

/** Sanitized lesson text. */
export function Markup({ text, formatting, allowHtml }: Props) {
  const hosts = useMediaHosts()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rendered media depend on the hosts
  const html = useMemo(() => renderMarkup({ text, formatting, allowHtml }), [text, formatting, allowHtml, hosts])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkup always sanitizes; the payload suite checks it
  return <div className="markup" dangerouslySetInnerHTML={{ __html: html }} />
}
