import { spawn } from 'node:child_process'
import process from 'node:process'

export interface CommandRun {
  /** Command for a shell. */
  readonly command: string
  /** Text for the standard input of the command. */
  readonly input: string
  /** Milliseconds after which the command is killed. */
  readonly patience: number
  /** Signal that kills the command at once. */
  readonly stopping: AbortSignal
}

/** Maximum characters of a failed command's output that are reported. */
const MAX_SAID = 500

/**
 * Runs a command of the operator to its end. Returns the reason of a failure as text; undefined after
 * success.
 */
export async function runCommand({
  command,
  input,
  patience,
  stopping,
}: CommandRun): Promise<string | undefined> {
  if (stopping.aborted) return 'it was stopped'
  const isGroup = process.platform !== 'win32'
  // The command has a separate process group, so that children of its shell are killed with it.
  const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'pipe'], detached: isGroup })
  let [said, killed] = ['', '']
  const kill = (why: string) => {
    killed ||= why
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    } catch {
      // The process group has already ended.
      return
    }
  }
  const stop = () => kill('it was stopped')
  const late = setTimeout(() => kill(`it took longer than ${patience / 1000} seconds`), patience).unref()
  stopping.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<string | undefined>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-MAX_SAID)
      })
      child.on('error', (error) => resolve(error.message))
      child.on('close', (code, signal) => {
        const how = killed || `it ended with ${signal ?? code}`
        resolve(code === 0 ? undefined : [how, said.trim()].filter((text) => text !== '').join(': '))
      })
      // A command need not read all of its input; its exit code reports any problem.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
    })
  } finally {
    clearTimeout(late)
    stopping.removeEventListener('abort', stop)
  }
}
