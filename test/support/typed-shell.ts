import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Place } from './databases.js'

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** A block of a shell, and the output that the page shows below it. */
const BLOCK = /```sh\n(?<script>.*?)```(?:\n\n```text\n(?<printed>.*?)```)?/gs

/** A file that the page shows below its name. */
const FILE = /^`(?<name>[\w.-]+)`:\n\n```\w+\n(?<text>.*?)```/gms

/** Ends the output of a block. */
const END = '\u001e'

/** Milliseconds that output of processes in the background may take after their block has ended. */
const PATIENCE = 20_000

/** Times that a command which only looks is typed again: what it shows may come a moment later. */
const LOOKS = 30
const LOOK = /^payctl [\w-]+ (?:list|logs)\b/

interface Typing {
  readonly page: string
  readonly place: Place
  /** Folder in which the page is typed; by default an empty one. */
  readonly folder?: string
  /** Options of bash. */
  readonly options?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** Texts of the page, and what stands for them now, such as addresses. */
  readonly words?: ReadonlyMap<string, string>
  /** Does what the page tells its reader to do before a block. */
  readonly before?: (script: string) => Promise<void>
  /** Whether the page is written anew, so that its outputs are of no use. */
  readonly isWritten?: boolean
}

/** A block of a page that was typed: its text on the page, the output there, and the output now. */
export interface TypedShellBlock {
  readonly script: string
  readonly expected: string
  readonly printed: string
}

/**
 * Types the blocks of a page into one shell, one after another. `payctl` is on its path, and the files of the
 * page are in its folder. Outputs are in the words of the page. Processes in the background end with the last
 * block.
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

/** The page with the outputs of now. */
export function withOutput(page: string, { script, expected, printed }: TypedShellBlock): string {
  const block = (text: string) => `\`\`\`sh\n${script}\`\`\`\n\n\`\`\`text\n${text}\`\`\``
  return page.replace(block(expected), () => block(printed))
}

/** Text without what differs each time: ids and times. */
export function lasting(text: string): string {
  return text
    .replaceAll(/\b(?:[a-z]+_)[0-9A-Za-z]{22}\b/g, 'ID')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?\b/g, 'TIME')
}

function replaced(text: string, words: ReadonlyMap<string, string>): string {
  return [...words].reduce((known, [one, other]) => known.replaceAll(one, other), text)
}

/** A shell with `payctl` and this Node on its path. */
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
    /** Types commands; resolves to their output when they have ended and as much has come as is expected. */
    async type(script: string, expected: string): Promise<string> {
      printed = ''
      const whole = new Promise<void>((resolve) => {
        look = () => {
          if (!printed.includes(END)) return
          if (printed.length > expected.length) resolve()
          else setTimeout(resolve, PATIENCE).unref()
        }
      })
      // Commands that read standard input would take the next ones.
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
