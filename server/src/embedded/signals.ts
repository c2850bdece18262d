const terminate = () => void process.kill(process.pid, 'SIGTERM')

/** Calls `stop` once this process is asked to end: by a signal, by a closed terminal, or by the death of its launcher. */
export function onStopRequest(stop: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // Node resets the signal that nohup ignores. Without a terminal there is nothing to hang up, so ignore it here.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  process.on('SIGHUP', () => {
    if (hasTerminal) terminate()
  })
  // A launcher killed with SIGKILL cannot forward anything.
  const launcher = Number(process.env.LIMBER_PARENT ?? 0)
  if (launcher !== process.ppid) return
  setInterval(() => {
    if (process.ppid !== launcher) terminate()
  }, 500).unref()
}
