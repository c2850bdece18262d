/** An SVG illustration. It is rendered to PNG when the company is seeded. */
const illustration = (
  title: string,
  inside: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540" viewBox="0 0 960 540">
<rect width="960" height="540" fill="#eef6f4"/><g fill="none" stroke="#0f766e" stroke-width="10" stroke-linecap="round" stroke-linejoin="round">${inside}</g>
<text x="48" y="492" font-family="sans-serif" font-size="34" fill="#134e4a">${title}</text></svg>`

const head = (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="34"/>`
const line = (...points: number[]) => `<polyline points="${points.join(' ')}"/>`

/** The illustrations of the lessons, by file name. */
export const illustrations: Record<string, string> = {
  'hip-flexor.png': illustration(
    'Half-kneeling hip flexor stretch',
    head(520, 90) +
      line(520, 126, 500, 270, 620, 330, 620, 430) +
      line(500, 270, 390, 380, 280, 410) +
      line(512, 170, 560, 250),
  ),
  'hamstring.png': illustration(
    'Supine hamstring stretch',
    head(220, 380) + line(256, 390, 500, 400, 760, 400) + line(500, 400, 520, 160) + line(300, 392, 420, 300, 510, 260),
  ),
  'calf.png': illustration(
    'Calf stretch, knee straight',
    head(420, 100) +
      line(430, 136, 470, 260, 330, 430, 280, 430) +
      line(470, 260, 560, 340, 540, 430, 590, 430) +
      line(440, 170, 560, 190, 660, 190) +
      line(666, 90, 666, 430),
  ),
  'childs-pose.png': illustration(
    "Child's pose with support",
    head(640, 330) +
      line(606, 330, 500, 270, 380, 290, 330, 370) +
      line(330, 370, 470, 400, 300, 430) +
      line(590, 340, 700, 420, 790, 425) +
      `<rect x="490" y="350" width="130" height="76" rx="34"/>`,
  ),
  'neck.png': illustration(
    'Neck: ear toward the shoulder',
    head(500, 150) +
      line(486, 186, 470, 260, 470, 440) +
      line(340, 270, 470, 250, 600, 270) +
      line(600, 270, 590, 180, 520, 120),
  ),
  'table.png': illustration(
    'Where to put your hands and feet',
    `<rect x="250" y="300" width="470" height="34" rx="12"/>` +
      line(300, 334, 300, 440) +
      line(670, 334, 670, 440) +
      head(360, 110) +
      line(360, 146, 380, 250, 440, 296) +
      line(366, 190, 470, 230, 540, 290),
  ),
  'event.png': illustration(
    'Room setup for an on-site event',
    `<rect x="120" y="120" width="720" height="300" rx="10"/><rect x="180" y="190" width="150" height="60" rx="10"/><rect x="405" y="190" width="150" height="60" rx="10"/><rect x="630" y="190" width="150" height="60" rx="10"/>` +
      line(460, 420, 500, 420),
  ),
  'scale.png': illustration(
    'How intense is it? One to ten',
    line(120, 270, 840, 270) +
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => line(40 + n * 80, 240, 40 + n * 80, 300)).join('') +
      `<circle cx="440" cy="270" r="26" fill="#0f766e"/>`,
  ),
}

/** A tone that rises for four seconds and falls for six, to pace breathing. */
export function makeBreathingAudio(): Buffer {
  const [rate, seconds] = [8000, 30]
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + rate * seconds, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(rate * seconds, 40)
  const sound = Buffer.alloc(rate * seconds)
  for (let n = 0; n < sound.length; n++) {
    const at = (n / rate) % 10
    const strength = at < 4 ? at / 4 : 1 - (at - 4) / 6
    sound[n] = Math.round(128 + 60 * strength * Math.sin((2 * Math.PI * 174 * n) / rate))
  }
  return Buffer.concat([head, sound])
}

/** A one-page PDF with lines of text. */
export function makePdf(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, n) => `BT /F1 ${n === 0 ? 20 : 12} Tf 60 ${760 - n * 26} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const at = body.length
    body += `${n + 1} 0 obj${object}endobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${body}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}
