import type { Formatting } from '@limber/contract/training/lessons/content.ts'
import {
  inlineImage,
  markupAttributes,
  markupGlobalAttributes,
  markupTags,
} from '@limber/contract/training/lessons/markup.ts'
import { FILES_PATH } from '@limber/contract/training/values.ts'
import createPurifier, { type Config } from 'dompurify'
import MarkdownIt from 'markdown-it'
import { isMediaHost } from './media-hosts.ts'

const rules: Config = {
  ALLOWED_TAGS: [...markupTags],
  ALLOWED_ATTR: [...markupGlobalAttributes, ...Object.values(markupAttributes).flat()],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  // Names of our own pages must not be taken by what is shown in them.
  SANITIZE_DOM: true,
  SANITIZE_NAMED_PROPS: true,
}

const link = /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i

const isOwnFile = (address: string) => new RegExp(`^${FILES_PATH}[a-z0-9]{26}\\.[a-z0-9]{2,4}$`).test(address)

/** Pictures and players show our own files and those of the hosts in the settings, or nothing. */
export const isShownFile = (address: string, tag: string) =>
  isOwnFile(address) || isMediaHost(address) || (tag === 'img' && inlineImage.test(address))

/** May this attribute stay? */
function mayKeep(tag: string, name: string, value: string): boolean {
  if (name === 'src' || name === 'poster') return isShownFile(value, tag)
  if (name === 'href') return link.test(value.trim())
  return true
}

function makeSanitiser(): (html: string) => string {
  const purifier = createPurifier(window)
  purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
    attribute.keepAttr &&= mayKeep(node.nodeName.toLowerCase(), attribute.attrName, attribute.attrValue)
  })
  return (html) => purifier.sanitize(html, rules)
}

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const withHtml = new MarkdownIt({ html: true, linkify: true })
// Tags that may not stand in a text are shown as they were typed.
const withoutHtml = new MarkdownIt({ html: false, linkify: true })

let sanitiser: ((html: string) => string) | undefined

interface Text {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

/** A text of a lesson as HTML that is safe to show. Whatever it is, it goes through the sanitiser last. */
export function renderMarkup({ text, formatting, allowHtml }: Text, sanitise?: (html: string) => string): string {
  sanitiser ??= makeSanitiser()
  const clean = sanitise ?? sanitiser
  if (formatting === 'plain') return clean(`<p>${escaped(text).replace(/\n/g, '<br>')}</p>`)
  const reader = formatting === 'rich_text' && allowHtml ? withHtml : withoutHtml
  return clean(reader.render(text))
}
