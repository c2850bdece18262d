/** Reads up to `length` bytes of a file at an offset. */
export type ReadPart = (offset: number, length: number) => Promise<Buffer>

export interface Media {
  /** Seconds, if the file states it. */
  duration: number | null
  width: number | null
  height: number | null
}

const unknown: Media = { duration: null, width: null, height: null }
const MAX_BOXES = 10_000

interface Box {
  type: string
  start: number
  size: number
}

/** The boxes of an MP4 between two offsets; undefined when one is malformed. */
async function readBoxes(read: ReadPart, from: number, to: number): Promise<Box[] | undefined> {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to && boxes.length < MAX_BOXES; ) {
    const head = await read(at, 16)
    if (head.length < 8) return undefined
    const short = head.readUInt32BE(0)
    const size = short === 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short
    if (size < 8 || at + size > to) return undefined
    boxes.push({
      type: head.toString('latin1', 4, 8),
      start: at + (short === 1 ? 16 : 8),
      size: size - (short === 1 ? 16 : 8),
    })
    at += size
  }
  return boxes
}

const named = (boxes: readonly Box[] | undefined, type: string) => boxes?.find((box) => box.type === type)
const inside = (read: ReadPart, box: Box | undefined) =>
  box ? readBoxes(read, box.start, box.start + box.size) : Promise.resolve(undefined)

/** Reads an MP4; undefined when it is truncated or malformed. */
async function readMp4(read: ReadPart, size: number): Promise<Media | undefined> {
  const top = await readBoxes(read, 0, size)
  const moov = named(top, 'moov')
  if (!moov || !named(top, 'mdat')) return undefined
  const parts = await inside(read, moov)
  const mvhd = named(parts, 'mvhd')
  if (!mvhd) return undefined
  const head = await read(mvhd.start, 32)
  if (head.length < 20) return undefined
  const isLong = head[0] === 1
  const scale = head.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16)
  const tracks = (parts ?? []).filter(({ type }) => type === 'trak')
  for (const track of tracks) {
    const tkhd = named(await inside(read, track), 'tkhd')
    const end = tkhd && (await read(tkhd.start + tkhd.size - 8, 8))
    const [width = 0, height = 0] = end?.length === 8 ? [end.readUInt16BE(0), end.readUInt16BE(4)] : []
    if (width > 0 && height > 0) return { duration: scale > 0 ? length / scale : null, width, height }
  }
  return { ...unknown, duration: scale > 0 ? length / scale : null }
}

/** An EBML variable-length integer. */
function readVint(bytes: Buffer, at: number, keepMark: boolean): { value: number; length: number } | undefined {
  const first = bytes[at]
  if (!first) return undefined
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) return undefined
  let value = keepMark ? first : first & (0xff >> length)
  for (let n = 1; n < length; n++) value = value * 256 + (bytes[at + n] ?? 0)
  return { value, length }
}

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const SCALE = 0x2ad7b1
const DURATION = 0x4489

/** Reads a WebM. The duration is found only near the beginning. */
async function readWebm(read: ReadPart): Promise<Media | undefined> {
  const bytes = await read(0, 64 * 1024)
  const found = new Map<number, Buffer>()
  let hasSegment = false
  const walk = (from: number, to: number) => {
    for (let at = from; at < to; ) {
      const id = readVint(bytes, at, true)
      const size = id && readVint(bytes, at + id.length, false)
      if (!id || !size) return
      const start = at + id.length + size.length
      if (id.value === SEGMENT) hasSegment = true
      if (id.value === SEGMENT || id.value === INFO)
        return walk(start, id.value === SEGMENT ? to : Math.min(to, start + size.value))
      found.set(id.value, bytes.subarray(start, start + size.value))
      at = start + size.value
    }
  }
  walk(0, bytes.length)
  if (!hasSegment) return undefined
  const length = found.get(DURATION)
  const scale = found.get(SCALE)?.reduce((sum, byte) => sum * 256 + byte, 0) ?? 1_000_000
  const ticks = length?.length === 8 ? length.readDoubleBE(0) : length?.length === 4 ? length.readFloatBE(0) : undefined
  return {
    ...unknown,
    duration: ticks !== undefined && Number.isFinite(ticks) && ticks >= 0 ? (ticks * scale) / 1e9 : null,
  }
}

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const rates = [44_100, 48_000, 32_000]

function readFrame(bytes: Buffer, at: number) {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xe6) !== 0xe2) return undefined
  const version = ((bytes[at + 1] ?? 0) >> 3) & 3
  const third = bytes[at + 2] ?? 0
  const rate = rates[(third >> 2) & 3]
  const bitrate = bitrates[version === 3 ? 1 : 2][third >> 4]
  if (version === 1 || !rate || !bitrate) return undefined
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = version === 3 ? 1152 : 576
  const length = Math.floor((samples / 8) * ((bitrate * 1000) / sampleRate)) + ((third >> 1) & 1)
  return { version, bitrate, sampleRate, samples, length, isMono: (bytes[at + 3] ?? 0) >> 6 === 3 }
}

/** Reads an MP3: two consecutive frames. The duration comes from the VBR header, or else from the size. */
async function readMp3(read: ReadPart, size: number): Promise<Media | undefined> {
  const tag = await read(0, 10)
  const start =
    tag.toString('latin1', 0, 3) === 'ID3' && tag.length === 10
      ? 10 +
        (((tag[6] ?? 0) & 127) << 21) +
        (((tag[7] ?? 0) & 127) << 14) +
        (((tag[8] ?? 0) & 127) << 7) +
        ((tag[9] ?? 0) & 127)
      : 0
  const bytes = await read(start, 16 * 1024)
  for (let at = 0; at + 4 < bytes.length; at++) {
    const frame = readFrame(bytes, at)
    if (!frame) continue
    const isLast = start + at + frame.length >= size
    if (!isLast && !readFrame(bytes, at + frame.length)) continue
    const side = frame.version === 3 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17
    const mark = bytes.toString('latin1', at + 4 + side, at + 8 + side)
    const hasCount = (mark === 'Xing' || mark === 'Info') && ((bytes[at + 11 + side] ?? 0) & 1) === 1
    const frames = hasCount && at + 16 + side <= bytes.length ? bytes.readUInt32BE(at + 12 + side) : undefined
    const duration = frames
      ? (frames * frame.samples) / frame.sampleRate
      : ((size - start - at) * 8) / (frame.bitrate * 1000)
    return { ...unknown, duration }
  }
  return undefined
}

async function readWav(read: ReadPart, size: number): Promise<Media | undefined> {
  let byteRate: number | undefined
  for (let at = 12, n = 0; at + 8 <= size && n < 100; n++) {
    const head = await read(at, 24)
    if (head.length < 8) return undefined
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    if (type === 'fmt ' && head.length >= 20) byteRate = head.readUInt32LE(16)
    // Recorders that stop abruptly leave a length of 0 or past the end, so use the actual size.
    if (type === 'data')
      return byteRate ? { ...unknown, duration: Math.min(length || size, size - at - 8) / byteRate } : undefined
    at += 8 + length + (length % 2)
  }
  return undefined
}

/** Reads an Ogg: the sample rate is in the first page, the length in the last. */
async function readOgg(read: ReadPart, size: number): Promise<Media | undefined> {
  const first = await read(0, 128)
  const vorbis = first.indexOf('\u0001vorbis', 0, 'latin1')
  const opus = first.indexOf('OpusHead', 0, 'latin1')
  if (vorbis < 0 && opus < 0) return undefined
  const rate = opus >= 0 ? 48_000 : first.length >= vorbis + 16 ? first.readUInt32LE(vorbis + 12) : 0
  const tail = await read(Math.max(0, size - 64 * 1024), 64 * 1024)
  const last = tail.lastIndexOf('OggS', undefined, 'latin1')
  if (rate === 0 || last < 0 || last + 14 > tail.length) return undefined
  return { ...unknown, duration: Number(tail.readBigInt64LE(last + 6)) / rate }
}

/** Metadata of a video or audio file; undefined when it is damaged or truncated. */
export async function readMedia(mime: string, read: ReadPart, size: number): Promise<Media | undefined> {
  const readers: Record<string, () => Promise<Media | undefined>> = {
    'video/mp4': () => readMp4(read, size),
    'video/webm': () => readWebm(read),
    'audio/mpeg': () => readMp3(read, size),
    'audio/wav': () => readWav(read, size),
    'audio/ogg': () => readOgg(read, size),
  }
  const found = await readers[mime]?.()
  if (!found || (found.duration !== null && !(found.duration >= 0 && found.duration < 1e7))) return undefined
  return { ...found, duration: found.duration === null ? null : Math.round(found.duration * 1000) / 1000 }
}
