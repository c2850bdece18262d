import type { Asset } from '@limber/contract/training/assets/asset.ts'

const plain = (text: string) => text.replace(/[[\]()<>"`\\]/g, ' ').trim()

/**
 * How a file stands in a text: a markdown picture or link, or a video or audio tag. Where HTML may not be written, a
 * film or a sound is a link.
 */
export function markupOf({ type, filename, url }: Pick<Asset, 'type' | 'filename' | 'url'>, hasHtml: boolean): string {
  const name = plain(filename)
  if (type === 'image') return `![${name}](${url})`
  if (hasHtml && type === 'video') return `<video src="${url}" controls></video>`
  if (hasHtml && type === 'audio') return `<audio src="${url}" controls></audio>`
  return `[${name}](${url})`
}
