import { parseArgs } from 'node:util'
import { commands } from './commands.ts'

/** The command line: `npm run limber -- <command>`. */
async function main(words: string[]) {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => each in commands)
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command) {
    const list = Object.entries(commands).map(
      ([each, { usage, about }]) => `  ${`${each} ${usage}`.trim().padEnd(75)} ${about}`,
    )
    process.stdout.write(`Usage: npm run limber -- <command>\n\n${list.join('\n')}\n`)
    process.exitCode = words.length === 0 || words[0] === 'help' ? 0 : 2
    return
  }
  const { values, positionals } = parseArgs({
    args: words.slice(name.split(' ').length),
    options: command.options,
    allowPositionals: true,
    strict: true,
  })
  await command.run(values as Record<string, string | boolean | undefined>, positionals)
}

// A reader that leaves early, such as head, is no failure.
process.stdout.on('error', () => process.exit(0))

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
