const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A video whose frames are zeros. */
export function makeMp4({ seconds = 90, bytes = 1000, brand = 'isom' } = {}): Buffer {
  const track = Buffer.alloc(84)
  track.writeUInt16BE(640, 76)
  track.writeUInt16BE(360, 80)
  const head = Buffer.alloc(100)
  head.writeUInt32BE(1000, 12)
  head.writeUInt32BE(seconds * 1000, 16)
  return Buffer.concat([
    box('ftyp', Buffer.from(brand, 'latin1'), uint32(512), Buffer.from(`${brand}mp41`, 'latin1')),
    box('moov', box('mvhd', head), box('trak', box('tkhd', track))),
    box('mdat', Buffer.alloc(bytes)),
  ])
}

/** An MP3 of 128 kbit/s. */
export function makeMp3(frames = 100): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x64])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

export function makeWav(seconds = 2): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + seconds * 8000, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(seconds * 8000, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 8000)])
}

/** The first and the last page of an Ogg with Opus. */
export function makeOgg(seconds = 3): Buffer {
  const page = (granule: bigint, body: Buffer) => {
    const head = Buffer.alloc(28)
    head.write('OggS', 0, 'latin1')
    head.writeBigInt64LE(granule, 6)
    head[26] = 1
    head[27] = body.length
    return Buffer.concat([head, body])
  }
  const opus = Buffer.alloc(19)
  opus.write('OpusHead', 0, 'latin1')
  opus[8] = 1
  opus[9] = 1
  return Buffer.concat([page(0n, opus), page(BigInt(seconds * 48_000), Buffer.alloc(40))])
}

/** The header of a WebM. */
export function makeWebm(seconds = 4): Buffer {
  const element = (id: number[], body: Buffer) =>
    Buffer.concat([Buffer.from(id), Buffer.from([0x80 | body.length]), body])
  const length = Buffer.alloc(8)
  length.writeDoubleBE(seconds * 1000)
  const info = element(
    [0x15, 0x49, 0xa9, 0x66],
    Buffer.concat([element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40])), element([0x44, 0x89], length)]),
  )
  const ebml = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from('webm')))
  return Buffer.concat([ebml, element([0x18, 0x53, 0x80, 0x67], info)])
}

export const makePdf = (pages = 2) =>
  Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Pages/Count ${pages}/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`)
