import { cpSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '#platform/paths.ts'

interface Locked {
  link?: boolean
  resolved?: string
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const [, installing = ''] = /^RUN npm ci (.*--workspace.*)$/m.exec(dockerfile) ?? []
const [, thrownAway = ''] = /^RUN rm -rf (.*)$/m.exec(dockerfile) ?? []

/** Resolves a dependency like Node: next to the package, then further up. */
function locate(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return undefined
    if (!folder.includes('/node_modules')) folder = ''
  }
}

/** The package folders that the Dockerfile's `npm ci` installs and keeps. */
function imagePackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Set<string>()
  const visit = (from: string) => {
    const { dependencies, optionalDependencies } = packages[from] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = locate(packages, from, name)
      const each = path && packages[path]
      if (!each || found.has(path) || each.link) continue
      if (each.optional && (installing.includes('--omit=optional') || !existsSync(join(root, path)))) continue
      found.add(path)
      visit(path)
    }
  }
  for (const [, workspace = ''] of installing.matchAll(/--workspace=(\w+)/g)) visit(workspace)
  return [...found].filter((path) => thrownAway.split(' ').every((each) => !path.startsWith(each)))
}

/** Copies a folder with hard links, without nested packages. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkFolder(source, target)
    } else
      try {
        linkSync(source, target)
      } catch {
        // On another disk.
        cpSync(source, target)
      }
  }
}

/** Builds the folder of the production image from the Dockerfile, without access to the rest of the clone. */
export function layOutImage(): string {
  const image = mkdtempSync(join(tmpdir(), 'limber-image-'))
  for (const path of imagePackages()) linkFolder(join(root, path), join(image, path))
  mkdirSync(join(image, 'node_modules/@limber'), { recursive: true })
  const [, last = ''] = dockerfile.split(/^FROM .*\n(?=ENV)/m)
  for (const [, from = '', to = ''] of last.matchAll(
    /^COPY (?:--from=build \/app\/)?((?:contract|server|web)\/\S+) (\S+)$/gm,
  ))
    if (existsSync(join(root, from))) cpSync(join(root, from), join(image, to), { recursive: true })
  for (const workspace of ['contract', 'server']) {
    mkdirSync(join(image, workspace), { recursive: true })
    cpSync(join(root, workspace, 'package.json'), join(image, workspace, 'package.json'))
    symlinkSync(join('../..', workspace), join(image, 'node_modules/@limber', workspace))
  }
  cpSync(join(root, 'package.json'), join(image, 'package.json'))
  return image
}
