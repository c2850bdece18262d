import { uploadAsset, uploadLimits } from '@limber/contract/training/assets/asset.ts'

const MB = 1024 * 1024

/** What a file says it is; the server looks into it. */
function limitOf({ type, name }: File) {
  if (type.startsWith('image/')) return uploadLimits.image
  if (type.startsWith('video/')) return uploadLimits.video
  if (type.startsWith('audio/')) return uploadLimits.audio
  if (type === 'application/pdf') return uploadLimits.pdf
  if (/\.vtt$/i.test(name)) return uploadLimits.subtitles
  return /\.(txt|md)$/i.test(name) ? uploadLimits.text : undefined
}

/** Why a file need not be sent at all, in the server's words. */
export function tooLarge(file: File): string | undefined {
  const limit = limitOf(file)
  if (!limit || file.size <= limit.most) return undefined
  const [, words] = uploadAsset.refusals.too_large
  return words.replace('{kind}', () => limit.plural).replace('{limit}', () => String(limit.most / MB))
}
