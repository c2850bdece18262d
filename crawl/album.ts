import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

interface Picture {
  label: string
  image: Buffer
}

interface Sheet {
  /** Pages written so far. */
  laid: number
  /** Images for the next page. */
  next: Picture[]
  grid: Grid
}

interface Grid {
  columns: number
  rows: number
  width: number
  height: number
}

const PAGE = { width: 1920, height: 1420 }
const GAP = 8
const LABEL = 24

/** As many images as fit on a page and stay readable. Phone screenshots are narrow, so more fit in a row. */
async function gridOf(image: Buffer): Promise<Grid> {
  const { width: from, height: to } = await sharp(image).metadata()
  const columns = from > to ? 4 : 6
  const width = PAGE.width / columns
  const height = Math.round(((width - GAP) * to) / from) + LABEL + GAP
  return { columns, rows: Math.floor(PAGE.height / height), width, height }
}

const plain = (text: string) => text.replace(/[<&>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const caption = (text: string, width: number) =>
  Buffer.from(
    `<svg width="${width}" height="${LABEL}"><text x="6" y="16" font-size="12" font-family="sans-serif">${plain(text)}</text></svg>`,
  )

/** Saves every screenshot, and arranges them on contact sheets. */
export function makeAlbum(folder: string) {
  const sheets = new Map<string, Sheet>()
  let count = 0

  async function saveSheet(name: string, sheet: Sheet): Promise<void> {
    const { columns, rows, width, height } = sheet.grid
    const parts = await Promise.all(
      sheet.next.map(async ({ label, image }, place) => {
        const left = (place % columns) * width
        const top = Math.floor(place / columns) * height
        const small = await sharp(image)
          .resize({ width: width - GAP, height: height - LABEL - GAP, fit: 'inside' })
          .png()
          .toBuffer()
        return [
          { input: caption(label, width), left, top },
          { input: small, left, top: top + LABEL },
        ]
      }),
    )
    const canvas = { width: PAGE.width, height: rows * height, channels: 3 as const, background: '#fff' }
    await sharp({ create: canvas })
      .composite(parts.flat())
      .png()
      .toFile(join(folder, `sheet-${name}-${sheet.laid}.png`))
    sheet.laid += 1
    sheet.next = []
  }

  return {
    get count() {
      return count
    },
    async add(name: string, label: string, image: Buffer): Promise<void> {
      count += 1
      await mkdir(folder, { recursive: true })
      const file = `${name} ${label}`.replace(/[^\w-]+/g, '_').slice(0, 150)
      await writeFile(join(folder, `${file}.png`), image)
      const sheet = sheets.get(name) ?? { laid: 0, next: [], grid: await gridOf(image) }
      sheets.set(name, sheet)
      sheet.next.push({ label, image })
      // Written as soon as it is full, so that an aborted crawl keeps its sheets.
      if (sheet.next.length === sheet.grid.columns * sheet.grid.rows) await saveSheet(name, sheet)
    },
    async close(): Promise<void> {
      for (const [name, sheet] of sheets) if (sheet.next.length > 0) await saveSheet(name, sheet)
    },
  }
}
