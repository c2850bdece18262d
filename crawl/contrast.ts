import type { Page } from '@playwright/test'

/**
 * Texts with too little contrast in the current theme. Handles only layered solid colors, which is all that these pages
 * use apart from images. axe handles more but takes forty times as long.
 */
export const judgeContrast = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Color = [red: number, green: number, blue: number, alpha: number]
    const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const known = new Map<string, Color>()
    const read = (text: string): Color => {
      const before = known.get(text)
      if (before || !brush) return before ?? [0, 0, 0, 1]
      brush.clearRect(0, 0, 1, 1)
      brush.fillStyle = text
      brush.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
      const color: Color = [red, green, blue, alpha / 255]
      known.set(text, color)
      return color
    }
    const blend = (upper: Color, lower: Color): Color => {
      const mix = (place: 0 | 1 | 2) => upper[place] * upper[3] + lower[place] * (1 - upper[3])
      return [mix(0), mix(1), mix(2), 1]
    }
    const light = (color: Color) => {
      const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const styles = new Map<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const style = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, style)
      return style
    }
    const canvas: Color = [255, 255, 255, 1]
    /** The background color of an element; undefined behind an image. */
    const behind = new Map<Element | null, Color | undefined>([[null, canvas]])
    const behindOf = (element: Element | null): Color | undefined => {
      if (behind.has(element) || element === null) return behind.get(element)
      const { backgroundColor, backgroundImage, position } = styleOf(element)
      const lower = behindOf(element.parentElement)
      const own = read(backgroundColor)
      // A positioned element may lie on top of something other than its parent.
      const isUnknown = backgroundImage !== 'none' || (own[3] < 1 && /absolute|fixed/.test(position)) || !lower
      const color = own[3] === 1 && backgroundImage === 'none' ? own : isUnknown ? undefined : blend(own, lower)
      behind.set(element, color)
      return color
    }
    const fades = (element: Element | null): boolean =>
      element !== null && (Number(styleOf(element).opacity) < 1 || fades(element.parentElement))

    const found = new Set<string>()
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const element = node.parentElement
      if (!element || !node.textContent?.trim()) continue
      if (element.closest('svg, canvas, style, script, :disabled, [aria-disabled=true], [data-disabled]')) continue
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const ground = behindOf(element)
      if (!ground || fades(element)) continue
      const { color, fontSize, fontWeight } = styleOf(element)
      const size = Number.parseFloat(fontSize)
      const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
      const [darker = 0, lighter = 0] = [light(blend(read(color), ground)), light(ground)].toSorted((a, b) => a - b)
      const ratio = (lighter + 0.05) / (darker + 0.05)
      if (ratio >= needed - 0.01) continue
      found.add(`contrast ${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`)
    }
    return [...found]
  })
