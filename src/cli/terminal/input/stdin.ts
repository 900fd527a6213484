import { buffer } from 'node:stream/consumers'
import { Interrupted, UsageError } from '../failure/failure.js'
import { decodedText } from './decode.js'

/** Standard input, or a terminal on which a line can be typed unseen. */
type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** Standard input, read once. Secrets given as `-` take a line each, in the order in which they are read. */
export class StandardInput {
  private lines: string[] | undefined

  /** The stream is opened at the first read: opening takes a while, and few commands read. */
  constructor(private readonly open: () => InputStream) {}

  /** The text that was not read yet. */
  async rest(): Promise<string> {
    const lines = await this.read()
    return lines.splice(0).join('\n')
  }

  /**
   * The next line; on a terminal, it ends at Enter and is not shown. Throws a `UsageError` that names the flag if there
   * is none.
   */
  async line(flag: string): Promise<string> {
    const stream = this.open()
    const line = stream.isTTY ? await hiddenLine(stream) : (await this.read()).shift()?.trim()
    if (!line) throw new UsageError(`Expected a line on standard input for --${flag}`)
    return line
  }

  private async read(): Promise<string[]> {
    this.lines ??= decodedText(await buffer(this.open())).split('\n')
    return this.lines
  }
}

/** A line that is typed on a terminal without echo. Throws an `Interrupted` at Ctrl-C. */
async function hiddenLine(terminal: InputStream): Promise<string> {
  terminal.setRawMode?.(true)
  terminal.setEncoding('utf8')
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = ''
      const take = (chunk: string) => {
        for (const key of chunk) {
          if (key === '\u0003') return reject(new Interrupted('Interrupted; nothing was sent.'))
          if (key === '\r' || key === '\n' || key === '\u0004') return resolve(typed.trim())
          typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key
        }
      }
      terminal
        .on('data', take)
        .once('end', () => resolve(typed.trim()))
        .resume()
    })
  } finally {
    terminal.removeAllListeners('data')
    terminal.pause()
    terminal.setRawMode?.(false)
  }
}
