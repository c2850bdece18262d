import { uploadAsset, uploadLimits } from '@limber/contract/training/assets/asset.ts'

const MB = 1024 * 1024

/** The limit for the type the browser reports. The server checks the content. */
function limitOf({ type, name }: File) {
  if (type.startsWith('image/')) return uploadLimits.image
  if (type.startsWith('video/')) return uploadLimits.video
  if (type.startsWith('audio/')) return uploadLimits.audio
  if (type === 'application/pdf') return uploadLimits.pdf
  if (/\.vtt$/i.test(name)) return uploadLimits.subtitles
  return /\.(txt|md)$/i.test(name) ? uploadLimits.text : undefined
}

/** The refusal the server would send for a file that is too large; undefined if it is not. */
export function tooLarge(file: File): string | undefined {
  const limit = limitOf(file)
  if (!limit || file.size <= limit.maxBytes) return undefined
  const [, text] = uploadAsset.refusals.too_large
  return text.replace('{kind}', () => limit.plural).replace('{limit}', () => String(limit.maxBytes / MB))
}
