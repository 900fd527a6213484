import { once } from 'node:events'
import process from 'node:process'
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import type { Variables } from '../input/platform-home.js'
import { type Sink, streamSink } from './sink.js'

/** The pager for long outputs, with its arguments; undefined if none is to be used. */
export function pagerOf({ PAGER, CI, TERM }: Variables): readonly string[] | undefined {
  if (CI || TERM === 'dumb') return undefined
  const words = (PAGER ?? 'less').split(/\s+/).filter((word) => word !== '')
  return words.length === 0 || words[0] === 'cat' ? undefined : words
}

/** A terminal that shows long output in a pager. Output is buffered until it exceeds the screen or ends. */
export function pagedSink(screen: WriteStream, pager: readonly string[]): Sink {
  let held = ''
  let sink: Sink | undefined
  const open = async () => {
    sink = (await openPager(pager)) ?? streamSink(screen)
    return await sink.write(held)
  }
  return {
    async write(text) {
      if (sink) return await sink.write(text)
      held += text
      const lines = await linesOf(held, screen.columns || 80)
      return lines < (screen.rows || 24) || (await open())
    },
    async close(isWhole) {
      const last = sink ?? streamSink(screen)
      if (!sink) await last.write(held)
      await last.close(isWhole)
    },
  }
}

/**
 * Starts a pager; undefined if there is no such program. While the pager runs, only the pager handles
 * Ctrl-C.
 */
async function openPager([program = '', ...words]: readonly string[]): Promise<Sink | undefined> {
  const { spawn } = await import('node:child_process')
  const env = { LESS: 'FRX', ...process.env }
  const child = spawn(program, words, { env, stdio: ['pipe', 'inherit', 'inherit'] })
  const started = await Promise.race([
    once(child, 'spawn').then(() => true),
    new Promise<false>((resolve) => child.once('error', () => resolve(false))),
  ])
  if (!started) return undefined
  const ended = once(child, 'close')
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  // The operator may quit the pager before all output is written.
  child.stdin.on('error', ignore)
  const { write } = streamSink(child.stdin)
  return {
    write,
    async close() {
      child.stdin.end()
      await ended
      process.off('SIGINT', ignore)
    },
  }
}

/** Number of lines that a text takes on a terminal. */
async function linesOf(text: string, columns: number): Promise<number> {
  const lines = text.split('\n').slice(0, -1)
  const { widthOf } = await import('./width.js')
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns)),
    0,
  )
}
