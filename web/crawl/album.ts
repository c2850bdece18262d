import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

interface Picture {
  label: string
  image: Buffer
}

const CELL = { width: 480, height: 330, label: 24 }
const COLUMNS = 4
const ROWS = 4

const plain = (text: string) => text.replace(/[<&>]/g, '')
const caption = (text: string) =>
  Buffer.from(
    `<svg width="${CELL.width}" height="${CELL.label}"><text x="6" y="16" font-size="12" font-family="sans-serif">${plain(text)}</text></svg>`,
  )

/** Keeps every picture, and lays them out on contact sheets that can be looked through quickly. */
export function makeAlbum(folder: string) {
  const sheets = new Map<string, Picture[]>()
  let count = 0

  async function lay(name: string, pictures: Picture[], page: number): Promise<void> {
    const parts = await Promise.all(
      pictures.map(async ({ label, image }, place) => {
        const left = (place % COLUMNS) * CELL.width
        const top = Math.floor(place / COLUMNS) * CELL.height
        const height = CELL.height - CELL.label
        const small = await sharp(image)
          .resize({ width: CELL.width - 8, height, fit: 'inside' })
          .png()
          .toBuffer()
        return [
          { input: caption(label), left, top },
          { input: small, left, top: top + CELL.label },
        ]
      }),
    )
    const canvas = { width: CELL.width * COLUMNS, height: CELL.height * ROWS, channels: 3 as const, background: '#fff' }
    await sharp({ create: canvas })
      .composite(parts.flat())
      .png()
      .toFile(join(folder, `${name}-${page}.png`))
  }

  return {
    get count() {
      return count
    },
    async add(sheet: string, label: string, image: Buffer): Promise<void> {
      count += 1
      await mkdir(folder, { recursive: true })
      const file = `${sheet} ${label}`.replace(/[^\w-]+/g, '_').slice(0, 150)
      await writeFile(join(folder, `${file}.png`), image)
      const pictures = sheets.get(sheet) ?? []
      pictures.push({ label, image })
      sheets.set(sheet, pictures)
    },
    async close(): Promise<void> {
      for (const [name, pictures] of sheets) {
        const size = COLUMNS * ROWS
        for (let from = 0; from < pictures.length; from += size) {
          await lay(`sheet-${name}`, pictures.slice(from, from + size), from / size)
        }
      }
    },
  }
}
