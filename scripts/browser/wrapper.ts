import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Layout = { binary: string; libraries: string[]; fonts: string }

/**
 * Writes a launcher beside an unpacked browser which finds its libraries and fonts there.
 * All paths are relative: the directory is renamed after it was filled.
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
  <alias><family>sans-serif</family><prefer><family>Liberation Sans</family><family>Open Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>Liberation Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
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
