import { buffer } from 'node:stream/consumers'
import { Interrupted, UsageError } from '../failure/failure.js'
import { decodedText } from './decode.js'

/** Standard input, or a terminal on which a line can be typed unseen. */
type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
}

/** Standard input, read once. Each secret given as `-` is the next line. */
export class StandardInput {
  private lines: string[] | undefined

  /** The stream is opened at the first read, because opening is slow and few commands read. */
  constructor(private readonly open: () => InputStream) {}

  /** The remaining text. */
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
      const take = (keys: string) => {
        const end = [...keys].findIndex((key) => LINE_ENDS.includes(key))
        const line = end === -1 ? keys : keys.slice(0, end)
        if (line.includes(CTRL_C)) reject(new Interrupted('Interrupted; nothing was sent.'))
        typed = [...line].reduce(withKey, typed)
        if (end !== -1) resolve(typed.trim())
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

function withKey(typed: string, key: string): string {
  return ERASING.includes(key) ? typed.slice(0, -1) : typed + key
}

/** Enter and Ctrl-D. */
const LINE_ENDS = ['\r', '\n', '\u0004']
const CTRL_C = '\u0003'
const ERASING = ['\u007f', '\b']
