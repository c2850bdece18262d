import poppins from '@fontsource/poppins/files/poppins-latin-400-normal.woff2?url'
import poppinsBold from '@fontsource/poppins/files/poppins-latin-600-normal.woff2?url'
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import roboto from '@fontsource-variable/roboto/files/roboto-latin-wght-normal.woff2?url'

const face = (family: string, url: string, weight: string) =>
  `@font-face { font-family: "${family}"; src: url("${new URL(url, location.href).href}") format("woff2"); font-weight: ${weight}; font-display: swap; }\n`

/** The fonts a theme can use. They are bundled: nothing loads from elsewhere. */
export const fontFaces =
  face('Inter', inter, '100 900') +
  face('Roboto', roboto, '100 900') +
  face('Poppins', poppins, '400') +
  face('Poppins', poppinsBold, '600 700')
