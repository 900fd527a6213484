import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Place } from './databases.js'
import { runFolder } from './run-folder.js'

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** Milliseconds after which `sees` rejects and shows the screen: just before mocha's limit. */
const LIMIT = 0.9 * testLimit()

export interface TerminalOptions {
  readonly columns?: number
  readonly rows?: number
  readonly variables?: Readonly<Record<string, string>>
}

/** Whether tmux is installed, and `PAYCTL_NO_TERMINAL=1` does not leave out the tests that type into it. */
export function hasTerminal(): boolean {
  return process.env['PAYCTL_NO_TERMINAL'] !== '1' && spawnSync('tmux', ['-V']).status === 0
}

/**
 * A real terminal with a shell and `payctl`, controlled through a separate tmux server, which reports every
 * change of the screen.
 */
export class Terminal {
  private readonly answers: ((lines: string[]) => void)[] = []
  private changed: () => void = () => undefined
  private block: string[] | undefined

  private constructor(
    private readonly tmux: ChildProcess,
    private readonly socket: string,
    private readonly folder: string,
  ) {
    createInterface({ input: tmux.stdout ?? process.stdin }).on('line', (line) => this.onLine(line))
  }

  static async open(
    { home, databaseUrl }: Pick<Place, 'home' | 'databaseUrl'>,
    { columns = 80, rows = 30, variables = {} }: TerminalOptions = {},
  ): Promise<Terminal> {
    const folder = mkdtempSync(join(tmpdir(), 'payctl-terminal-'))
    symlinkSync(RUN, join(folder, 'payctl'))
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      LANG: 'C.UTF-8',
      TERM: 'tmux-256color',
      PS1: '$ ',
      XDG_CACHE_HOME: runFolder,
      PAYCTL_HOME: home,
      ...(databaseUrl !== undefined && { PAYCTL_DATABASE_URL: databaseUrl }),
      ...variables,
    }
    const shell = ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'sh']
    const socket = join(folder, 'tmux')
    const size = ['-x', String(columns), '-y', String(rows)]
    const tmux = spawn(
      'tmux',
      ['-S', socket, '-f', '/dev/null', '-u', '-C', 'new-session', ...size, ...shell],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    )
    const terminal = new Terminal(tmux, socket, folder)
    await terminal.sees('$')
    return terminal
  }

  /** Types a text; key names in it have no special meaning. */
  async type(text: string): Promise<void> {
    await this.command(`send-keys -l -- '${text.replaceAll("'", "'\\''")}'`)
  }

  /** Presses keys by tmux's names: `Enter`, `Down`, `C-c`. */
  async press(...keys: string[]): Promise<void> {
    await this.command(`send-keys ${keys.join(' ')}`)
  }

  /** Types a text, then Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text)
    await this.press('Enter')
  }

  /** Types a text with keys in brackets: `29.99[Enter]`. */
  async play(text: string): Promise<void> {
    for (const part of text.split(/(?=\[\w)|(?<=\w\])/)) {
      const key = /^\[(?<key>[\w-]+)\]$/.exec(part)?.groups?.['key']
      if (key !== undefined) await this.press(key)
      else if (part !== '') await this.type(part)
    }
  }

  /**
   * Lines on the screen, without empty ones at the end. Optionally with escape codes of colours, or with
   * wrapped lines joined.
   */
  async screen(coloured = false, joined = false): Promise<string> {
    const lines = await this.command(`capture-pane -p${coloured ? ' -e' : ''}${joined ? ' -J' : ''}`)
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd()
  }

  /** Waits until a text is on the screen. Rejects with the screen if the text does not appear. */
  async sees(expected: string | RegExp): Promise<string> {
    const late = AbortSignal.timeout(LIMIT)
    late.addEventListener('abort', () => this.changed())
    for (;;) {
      const change = new Promise<void>((resolve) => {
        this.changed = resolve
      })
      const screen = await this.screen()
      if (typeof expected === 'string' ? screen.includes(expected) : expected.test(screen)) return screen
      if (late.aborted) throw new Error(`Expected ${String(expected)} on the screen:\n${screen}`)
      await change
    }
  }

  /** Ends the shell and its tmux, with all programs in it. */
  close(): void {
    spawnSync('tmux', ['-S', this.socket, 'kill-server'])
    this.tmux.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async command(words: string): Promise<string[]> {
    return await new Promise((resolve) => {
      this.answers.push(resolve)
      this.tmux.stdin?.write(`${words}\n`)
    })
  }

  /** A line of tmux's control mode: answers to commands are between `%begin` and `%end`, everything else is an event. */
  private onLine(line: string): void {
    const [word] = line.split(' ', 1)
    if (word === '%begin') this.block = []
    else if (word === '%end' || word === '%error') this.ended(line)
    else if (this.block) this.block.push(line)
    else if (word === '%output') this.changed()
  }

  /**
   * Handles the end of an answer. The line ends with 1 if this class sent the command, and with 0 if tmux ran
   * it itself.
   */
  private ended(line: string): void {
    const lines = this.block ?? []
    this.block = undefined
    if (line.endsWith(' 1')) this.answers.shift()?.(lines)
  }
}

function testLimit(): number {
  const { timeout }: { timeout: number } = createRequire(import.meta.url)('../../.mocharc.cjs')
  return timeout
}

/** Replaces what differs in each run: ids (also shortened or wrapped), reference numbers, dates and times. */
export function timeless(screen: string): string {
  return screen
    .replaceAll(/\b(?<prefix>[a-z]+_)[0-9A-Za-z]{22}\b/g, '$<prefix>…')
    .replaceAll(/\b(?<prefix>[a-z]+_)0[0-9A-Za-z]{3,20}\n +[0-9A-Za-z]+$/gm, '$<prefix>…')
    .replaceAll(/\b(?<prefix>[a-z]+_)0[0-9A-Za-z]{0,20}…/g, '$<prefix>…')
    .replaceAll(/\b(?<prefix>[a-z]+_)…[0-9A-Za-z]{4}\b/g, '$<prefix>…XXXX')
    .replaceAll(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/g, 'XXXX-XXXX-XXXX-XXXX')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'YYYY-MM-DD HH:MM:SS')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'YYYY-MM-DD HH:MM')
    .replaceAll(/\bE[SD]T\b/g, 'EST')
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, 'YYYY-MM-DD')
}
