/** Red, green and blue of `#rgb`, `#rrggbb` and their forms with alpha; undefined for anything else. */
function channels(color: string): number[] | undefined {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(color)?.[1]
  if (!hex || hex.length === 5 || hex.length === 7) return undefined
  const long = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
}

function luminance(color: string): number | undefined {
  const [red, green, blue] = (channels(color) ?? []).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The WCAG contrast ratio of two colors, 1 to 21; undefined if one is not a color. */
export function contrast(one: string, other: string): number | undefined {
  const [a, b] = [luminance(one), luminance(other)]
  if (a === undefined || b === undefined) return undefined
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** The text color on a filled button: white, unless dark text is clearly easier to read. */
export const textColorOn = (color: string): string =>
  (contrast('#ffffff', color) ?? 21) >= 4.5 ? '#ffffff' : '#111b1e'

/** The WCAG minimum for normal text. */
export const READABLE = 4.5
