import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('./kept-process.cjs', import.meta.url))

export interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Processes that run no command at the moment. */
const idle: ChildProcess[] = []

/** Runs a command in a process that is reused, because starting Node takes longer than most commands. */
export async function runKept(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = idle.pop() ?? fork(MODULE, { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.ref()
  child.channel?.ref()
  const answered = new AbortController()
  const gone = once(child, 'exit', { signal: answered.signal }).then(([code]) => {
    throw new Error(`payctl ${words.join(' ')} ended the process, with ${code}`)
  })
  child.send({ words, env })
  try {
    const [outcome] = await Promise.race([once(child, 'message'), gone])
    return outcome
  } finally {
    answered.abort()
    gone.catch(() => undefined)
    // The process must not keep the tests running; it ends with them.
    child.unref()
    child.channel?.unref()
    idle.push(child)
  }
}
