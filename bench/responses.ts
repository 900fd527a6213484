const END_OF_HEAD = '\r\n\r\n'

/**
 * Splits the bytes of a socket into HTTP/1.1 responses with a `content-length`, and passes the status of each to
 * `answered`.
 */
export class Responses {
  private rest: Buffer = Buffer.alloc(0)

  constructor(private readonly answered: (status: number) => void) {}

  push(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    for (let next = this.next(); next !== undefined; next = this.next()) this.answered(next)
  }

  /** Removes the next response and returns its status; undefined until the whole response has arrived. */
  private next(): number | undefined {
    const end = this.rest.indexOf(END_OF_HEAD)
    if (end < 0) return undefined
    const head = this.rest.toString('latin1', 0, end)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error(`No content-length in:\n${head}`)
    const whole = end + END_OF_HEAD.length + Number(length)
    if (this.rest.length < whole) return undefined
    this.rest = this.rest.subarray(whole)
    return Number(head.slice(9, 12))
  }
}
