import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** Runs the linter on a file, without its look for updates. */
export async function lintOpenApi(file: string): Promise<{ isValid: boolean; output: string }> {
  const command = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const rules = join(import.meta.dirname, 'redocly.yaml')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = [command, 'lint', '--config', rules, '--format=stylish', '--max-problems=50', file]
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1 << 26 })
    return { isValid: true, output: stdout + stderr }
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return { isValid: false, output: `${stdout ?? ''}${stderr ?? error}` }
  }
}
