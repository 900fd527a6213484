import { buffer } from 'node:stream/consumers'
import { UsageError } from '../failure/failure.js'
import { decodedText } from './decode.js'

/** Standard input, read once. Secrets given as `-` take a line each, in the order in which they are read. */
export class StandardInput {
  private lines: string[] | undefined

  /** The stream is opened at the first read: opening takes a while, and few commands read. */
  constructor(private readonly open: () => NodeJS.ReadableStream) {}

  /** The text that was not read yet. */
  async rest(): Promise<string> {
    const lines = await this.read()
    return lines.splice(0).join('\n')
  }

  /** The next line. Throws a `UsageError` that names the flag if there is none. */
  async line(flag: string): Promise<string> {
    const line = (await this.read()).shift()?.trim()
    if (!line) throw new UsageError(`Expected a line on standard input for --${flag}`)
    return line
  }

  private async read(): Promise<string[]> {
    this.lines ??= decodedText(await buffer(this.open())).split('\n')
    return this.lines
  }
}
