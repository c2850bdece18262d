import { parseArgs } from 'node:util'
import { commands } from './commands.ts'

/** The command line: `npm run limber -- <command>`. */
async function main(args: string[]) {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((each) => each in commands)
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command) {
    const list = Object.entries(commands).map(
      ([each, { usage, about }]) => `  ${`${each} ${usage}`.trim()}\n      ${about}`,
    )
    process.stdout.write(`Usage: npm run limber -- <command>\n\n${list.join('\n')}\n`)
    process.exitCode = args.length === 0 || args[0] === 'help' ? 0 : 2
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
