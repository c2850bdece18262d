import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const SANS = ['Liberation Sans', 'Open Sans']
const FAMILIES: [string, string[]][] = [
  ['sans-serif', SANS],
  ['Arial', SANS],
  ['Helvetica', SANS],
  ['serif', ['Liberation Serif']],
  ['Times New Roman', ['Liberation Serif']],
  ['monospace', ['Liberation Mono']],
  ['Courier New', ['Liberation Mono']],
]

const alias = ([family, replacements]: [string, string[]]) =>
  `  <alias binding="same"><family>${family}</family><prefer>${replacements.map((name) => `<family>${name}</family>`).join('')}</prefer></alias>`

/** Part of the cache name. Raise it when the written files change. */
export const WRAPPER_VERSION = 2

type Layout = { binary: string; libraries: string[]; fonts: string }

/**
 * Writes a launcher next to an unpacked browser that points to its libraries and fonts.
 * All paths are relative, because the directory is renamed after it is filled.
 */
export async function writeWrapper(directory: string, { binary, libraries, fonts }: Layout): Promise<void> {
  await writeFile(
    join(directory, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">${fonts}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
${FAMILIES.map(alias).join('\n')}
</fontconfig>
`,
  )
  const path = [...libraries.map((library) => `$here/${library}`), '$LD_LIBRARY_PATH'].join(':')
  await writeFile(
    join(directory, 'chromium'),
    `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="${path}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/${binary}" "$@"
`,
  )
  await chmod(join(directory, 'chromium'), 0o755)
}
