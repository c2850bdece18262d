import { parseArgs } from 'node:util'
import { version } from '#platform/version.ts'
import { commands } from './commands.ts'

const HELP = ['help', '--help', '-h']

/** The command line: `npm run limber -- <command>`. */
async function main(args: string[]) {
  if (args[0] === '--version') return void process.stdout.write(`${version()}\n`)
  const isHelp = args.length === 0 || args.some((each) => HELP.includes(each))
  const words = args.filter((each) => !HELP.includes(each))
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((each) => each in commands)
  const command = name === undefined ? undefined : commands[name]
  if (isHelp || name === undefined || !command) {
    // `backup --help` shows `backup list` and `backup verify`, too.
    const group = name ?? words[0] ?? ''
    const matches = Object.entries(commands).filter(([each]) => each === group || each.startsWith(`${group} `))
    const list = (matches.length > 0 ? matches : Object.entries(commands)).map(
      ([each, { usage, about }]) => `  ${`${each} ${usage}`.trim()}\n      ${about}`,
    )
    process.stdout.write(`Usage: npm run limber -- <command>\n\n${list.join('\n')}\n`)
    process.exitCode = isHelp ? 0 : 2
    return
  }
  const { values, positionals } = parseArgs({
    args: args.slice(name.split(' ').length),
    options: command.options,
    allowPositionals: true,
    strict: true,
  })
  await command.run(values as Record<string, string | boolean | undefined>, positionals)
}

// A closed pipe, as with head, is not a failure.
process.stdout.on('error', () => process.exit(0))

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
