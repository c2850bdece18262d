import type { AssetType } from '@limber/contract/training/asset.ts'

/** What a file picker offers where one kind of file is meant. */
export const accepts: Record<AssetType, string> = {
  image: 'image/jpeg,image/png,image/gif,image/webp',
  video: 'video/mp4,video/webm',
  audio: 'audio/mpeg,audio/ogg,audio/wav',
  document: 'application/pdf,.txt,.md',
  other: '.vtt,text/vtt',
}
