import type { UploadQuality } from '@limber/contract/training/assets/asset.ts'

/** Larger images need too much memory to decode. */
export const MAX_PIXELS = 40_000_000

const sizes: Record<UploadQuality, { edge: number; quality: number }> = {
  low: { edge: 1280, quality: 60 },
  medium: { edge: 1920, quality: 75 },
  high: { edge: 2560, quality: 85 },
}

export interface EncodedImage {
  bytes: Buffer
  width: number
  height: number
}

export type ImageFault = 'too_many_pixels' | 'damaged'

// Decoding may need a hundred megabytes per image.
const MAX_CONCURRENT = 2
let busy = 0
const waiting: (() => void)[] = []

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= MAX_CONCURRENT) await new Promise<void>((go) => waiting.push(go))
  busy++
  try {
    return await work()
  } finally {
    busy--
    waiting.shift()?.()
  }
}

/**
 * Re-encodes an image in the same format, which removes hidden data and its location. Decoding runs on the library's
 * threads.
 */
export function reencodeImage(bytes: Buffer, mime: string, quality: UploadQuality): Promise<EncodedImage | ImageFault> {
  return withSlot(async () => {
    const { default: sharp } = await import('sharp')
    const options = { failOn: 'truncated', limitInputPixels: MAX_PIXELS, sequentialRead: true } as const
    const isAnimated = mime === 'image/gif' || mime === 'image/webp'
    try {
      const {
        width,
        height,
        pages = 1,
        pageHeight = height,
      } = await sharp(bytes, { ...options, limitInputPixels: false, animated: isAnimated }).metadata()
      if (width * pageHeight * pages > MAX_PIXELS) return 'too_many_pixels'
      const { edge, quality: level } = sizes[quality]
      const drawn = sharp(bytes, { ...options, animated: isAnimated })
        .autoOrient()
        .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
        .timeout({ seconds: 30 })
      const format = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/gif': 'gif', 'image/webp': 'webp' } as const
      const kind = format[mime as keyof typeof format]
      const made = await (kind === 'png' || kind === 'gif'
        ? drawn.toFormat(kind)
        : drawn.toFormat(kind, { quality: level })
      ).toBuffer({ resolveWithObject: true })
      return { bytes: made.data, width: made.info.width, height: made.info.pageHeight ?? made.info.height }
    } catch {
      // The library's message is not for users.
      return 'damaged'
    }
  })
}

/** The size of an image that a browser can show; undefined for a damaged one and for one that is too large to decode. */
export function measureImage(bytes: Buffer): Promise<{ width: number; height: number } | undefined> {
  return withSlot(async () => {
    const { default: sharp } = await import('sharp')
    try {
      const options = { limitInputPixels: false, animated: true } as const
      const { width, height, pages = 1, pageHeight = height, orientation = 1 } = await sharp(bytes, options).metadata()
      if (width * pageHeight * pages > MAX_PIXELS) return undefined
      // Phones store pictures lying on their side.
      return orientation >= 5 ? { width: pageHeight, height: width } : { width, height: pageHeight }
    } catch {
      return undefined
    }
  })
}
