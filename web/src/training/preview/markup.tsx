import type { Formatting } from '@limber/contract/training/content.ts'
import { useMemo } from 'react'
import { renderMarkup } from './render-markup.ts'

interface Props {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

/** A text of a lesson, read and made safe. */
export function Markup({ text, formatting, allowHtml }: Props) {
  const html = useMemo(() => renderMarkup({ text, formatting, allowHtml }), [text, formatting, allowHtml])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkup ends in the sanitiser; the payload suite holds it to that
  return <div className="markup" dangerouslySetInnerHTML={{ __html: html }} />
}
