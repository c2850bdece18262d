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
  // Content must not shadow names of our own pages.
  SANITIZE_DOM: true,
  SANITIZE_NAMED_PROPS: true,
}

const link = /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i

const isOwnFile = (address: string) => new RegExp(`^${FILES_PATH}[a-z0-9]{26}\\.[a-z0-9]{2,4}$`).test(address)

/** Whether an image or player may load this URL: uploaded files and the hosts in the settings only. */
export const isShownFile = (address: string, tag: string) =>
  isOwnFile(address) || isMediaHost(address) || (tag === 'img' && inlineImage.test(address))

/** Whether the attribute is allowed. */
function mayKeep(tag: string, name: string, value: string): boolean {
  if (name === 'src' || name === 'poster') return isShownFile(value, tag)
  if (name === 'href') return link.test(value.trim())
  return true
}

function makeSanitizer(): (html: string) => string {
  const purifier = createPurifier(window)
  purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
    attribute.keepAttr &&= mayKeep(node.nodeName.toLowerCase(), attribute.attrName, attribute.attrValue)
  })
  return (html) => purifier.sanitize(html, rules)
}

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const withHtml = new MarkdownIt({ html: true, linkify: true })
// Without HTML, tags are shown as typed.
const withoutHtml = new MarkdownIt({ html: false, linkify: true })

let sanitizer: ((html: string) => string) | undefined

interface Text {
  text: string
  formatting: Formatting
  allowHtml: boolean
}

/** Renders lesson text to safe HTML. The sanitizer always runs last. */
export function renderMarkup({ text, formatting, allowHtml }: Text, sanitize?: (html: string) => string): string {
  sanitizer ??= makeSanitizer()
  const clean = sanitize ?? sanitizer
  if (formatting === 'plain') return clean(`<p>${escaped(text).replace(/\n/g, '<br>')}</p>`)
  const reader = formatting === 'rich_text' && allowHtml ? withHtml : withoutHtml
  return clean(reader.render(text))
}
