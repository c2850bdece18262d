/** The output of npm start: one line per stage, with its duration. */
export type Terminal = {
  stage<Result>(text: string, work: () => Promise<Result>): Promise<Result>
  say(line?: string): void
}

export function makeTerminal(out: { write(text: string): unknown } = process.stdout): Terminal {
  let isLineOpen = false
  const say = (line = '') => {
    out.write(isLineOpen ? `\n  ${line}\n` : line ? `  ${line}\n` : '\n')
    isLineOpen = false
  }
  const stage = async <Result>(text: string, work: () => Promise<Result>) => {
    const start = performance.now()
    out.write(`  ${text} ... `)
    isLineOpen = true
    let ending = 'failed'
    try {
      const result = await work()
      ending = inSeconds(performance.now() - start)
      return result
    } finally {
      out.write(isLineOpen ? `${ending}\n` : `  ${text}: ${ending}\n`)
      isLineOpen = false
    }
  }
  return { stage, say }
}

export const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
