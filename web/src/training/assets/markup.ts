import type { Asset } from '@limber/contract/training/assets/asset.ts'

const plain = (text: string) => text.replace(/[[\]()<>"`\\]/g, ' ').trim()

/**
 * The markup for a file: a markdown image or link, or a video or audio tag. Where HTML is not allowed, video and audio
 * become links.
 */
export function markupOf({ type, filename, url }: Pick<Asset, 'type' | 'filename' | 'url'>, hasHtml: boolean): string {
  const name = plain(filename)
  if (type === 'image') return `![${name}](${url})`
  if (hasHtml && type === 'video') return `<video src="${url}" controls></video>`
  if (hasHtml && type === 'audio') return `<audio src="${url}" controls></audio>`
  return `[${name}](${url})`
}
