import { once } from 'node:events'
import process from 'node:process'
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import type { Variables } from '../input/home.js'
import { type Sink, streamSink } from './sink.js'

/** The program that people read long outputs with, and its words; nothing where they want none. */
export function pagerOf({ PAGER, CI, TERM }: Variables): readonly string[] | undefined {
  if (CI || TERM === 'dumb') return undefined
  const words = (PAGER ?? 'less').split(/\s+/).filter((word) => word !== '')
  return words.length === 0 || words[0] === 'cat' ? undefined : words
}

/** A terminal; what is longer than it goes through a pager. Nothing is shown before that is known. */
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

/** Nothing when there is no such program. Ctrl-C is the pager's while it runs. */
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
  const leaveIt = () => undefined
  process.on('SIGINT', leaveIt)
  // It may be left before all is read, even before its last piece is written.
  child.stdin.on('error', leaveIt)
  const { write } = streamSink(child.stdin)
  return {
    write,
    async close() {
      child.stdin.end()
      await ended
      process.off('SIGINT', leaveIt)
    },
  }
}

/** How many lines of the terminal a text takes. */
async function linesOf(text: string, columns: number): Promise<number> {
  const lines = text.split('\n').slice(0, -1)
  const { widthOf } = await import('./width.js')
  return lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns)),
    0,
  )
}
