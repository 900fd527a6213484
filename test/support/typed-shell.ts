import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Place } from './databases.js'

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** A block of shell commands, and the output that the page shows below it. */
const BLOCK = /```sh\n(?<script>.*?)```(?:\n\n```text\n(?<printed>.*?)```)?/gs

/** A file that the page shows, with its name above it. */
const FILE = /^`(?<name>[\w.-]+)`:\n\n```\w+\n(?<text>.*?)```/gms

/** Printed after each block, to detect the end of its output. */
const END = '\u001e'

/** Milliseconds to wait for the output of background processes after their block has ended. */
const PATIENCE = 20_000

/** Maximum number of times that a read-only command is repeated until its output matches the page. */
const LOOKS = 30
const LOOK = /^payctl [\w-]+ (?:list|logs)\b/

interface Typing {
  readonly page: string
  readonly place: Place
  /** Folder in which the commands run; by default a new, empty one. */
  readonly folder?: string
  /** Options of bash. */
  readonly options?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** Texts of the page, such as addresses, and their replacements in this run. */
  readonly words?: ReadonlyMap<string, string>
  /** Runs before each block, for steps that the page describes in prose. */
  readonly before?: (script: string) => Promise<void>
  /** Whether the outputs of the page are being rewritten, so there is no expected output to wait for. */
  readonly isWritten?: boolean
}

/** A block of a page after its commands ran: its commands, the output on the page, and the output now. */
export interface TypedShellBlock {
  readonly script: string
  readonly expected: string
  readonly printed: string
}

/**
 * Runs the blocks of a page in one shell, one after another. `payctl` is on its path, and files shown on the
 * page are in its folder. Returned outputs contain the original texts of the page. Background processes are
 * ended after the last block.
 */
export async function* typedShell(typing: Typing): AsyncGenerator<TypedShellBlock> {
  const { page, words = new Map<string, string>(), before, isWritten = false } = typing
  const own = await mkdtemp(join(tmpdir(), 'payctl-page-'))
  const folder = typing.folder ?? own
  const now = (text: string) => replaced(text, words)
  const then = (text: string) => replaced(text, new Map([...words].map(([one, other]) => [other, one])))
  for (const { groups: { name = '', text = '' } = {} } of page.matchAll(FILE))
    await writeFile(join(folder, name), now(text))
  const shell = await openShell(typing, folder)
  try {
    for (const { groups: { script = '', printed: expected = '' } = {} } of page.matchAll(BLOCK)) {
      await before?.(script)
      let printed = then(await shell.type(now(script), now(expected)))
      const looks = LOOK.test(script) && !isWritten ? LOOKS : 0
      for (let look = 0; look < looks && lasting(printed) !== lasting(expected); look++)
        printed = then(await shell.type(now(script), now(expected)))
      yield { script, expected, printed }
    }
  } finally {
    await shell.end()
    await rm(own, { recursive: true })
  }
}

/** Returns the page with the output of a block replaced by the current output. */
export function withOutput(page: string, { script, expected, printed }: TypedShellBlock): string {
  const block = (text: string) => `\`\`\`sh\n${script}\`\`\`\n\n\`\`\`text\n${text}\`\`\``
  return page.replace(block(expected), () => block(printed))
}

/** Replaces ids and times, which differ in each run. */
export function lasting(text: string): string {
  return text
    .replaceAll(/\b(?:[a-z]+_)[0-9A-Za-z]{22}\b/g, 'ID')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?\b/g, 'TIME')
}

function replaced(text: string, words: ReadonlyMap<string, string>): string {
  return [...words].reduce((known, [one, other]) => known.replaceAll(one, other), text)
}

/** Starts a shell with `payctl` and this version of Node on its path. */
async function openShell({ place, options = ['-u'], variables }: Typing, folder: string) {
  const tools = await mkdtemp(join(tmpdir(), 'payctl-tools-'))
  await tool(tools, 'payctl', `'${RUN}'`)
  await tool(tools, 'node')
  const shell = spawn('bash', [...options], {
    cwd: folder,
    env: {
      PATH: `${tools}:${process.env['PATH']}`,
      NODE_NO_WARNINGS: '1',
      PAYCTL_HOME: place.home,
      ...(place.databaseUrl !== undefined && { PAYCTL_DATABASE_URL: place.databaseUrl }),
      ...variables,
    },
  })
  shell.stdin.write('exec 2>&1\n')
  return typist(shell, async () => await rm(tools, { recursive: true }))
}

async function tool(folder: string, name: string, file = ''): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' ${file} "$@"\n`)
  await chmod(path, 0o755)
}

function typist(shell: ChildProcessWithoutNullStreams, clear: () => Promise<void>) {
  let printed = ''
  let look = (): void => undefined
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    look()
  })
  const closed = once(shell, 'close')
  return {
    /**
     * Runs commands. Resolves to their output when they have ended and at least as much output has arrived as
     * expected.
     */
    async type(script: string, expected: string): Promise<string> {
      printed = ''
      const whole = new Promise<void>((resolve) => {
        look = () => {
          if (!printed.includes(END)) return
          if (printed.length > expected.length) resolve()
          else setTimeout(resolve, PATIENCE).unref()
        }
      })
      // A command that reads standard input would otherwise consume the next commands.
      shell.stdin.write(`{\n${script}\n} < /dev/null\nprintf '${END}'\n`)
      const ended = closed.then(() => Promise.reject(new Error(`The shell has ended: ${printed}`)))
      await Promise.race([whole, ended])
      return printed.replace(END, '')
    },
    async end(): Promise<void> {
      shell.stdin.end('kill $(jobs -p); wait\n')
      await closed
      await clear()
    },
  }
}
