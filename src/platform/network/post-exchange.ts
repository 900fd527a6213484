import type { Dispatcher } from 'undici'

/** Status of an answer, with the requested part of its body; the error if there was no answer. */
export type Exchanged =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string }
  | { readonly error: Error }

export interface ExchangeLimits {
  /** Milliseconds until the required part of the answer must have arrived. */
  readonly milliseconds: number
  /** Bytes of the answer's body that are returned. */
  readonly bytes: number
}

/** Maximum bytes that are read of an unused body, so that its connection can be used again. */
const IDLE_BYTES = 16 * 1024

/**
 * Single request and its answer. The method `request` of undici makes a stream, a signal and several promises
 * for each request; these cost more than the sending itself.
 */
export class PostExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private status = 0
  private retryAfter: string | undefined
  private readonly parts: Buffer[] = []
  private length = 0
  private isOver = false
  private readonly timer: NodeJS.Timeout

  constructor(
    private readonly limits: ExchangeLimits,
    private readonly done: (exchanged: Exchanged) => void,
  ) {
    const { milliseconds } = limits
    this.timer = setTimeout(() => this.end(new Error(`No answer within ${milliseconds} ms`)), milliseconds)
  }

  /** Ends the exchange, even while its connection is still being made. */
  end(error: Error): void {
    this.settle(error)
    this.controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isOver) controller.abort(new Error('It is over'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // A status below 200 is followed by the final status.
    if (status < 200) return
    this.status = status
    const retryAfter = headers['retry-after']
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter
    if (this.limits.bytes === 0 && Number(headers['content-length']) > IDLE_BYTES) this.cut()
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    const { bytes } = this.limits
    this.length += part.length
    // Copied, because the parser reuses its memory.
    if (bytes > 0) this.parts.push(Buffer.from(part))
    if (bytes > 0 ? this.length >= bytes : this.length > IDLE_BYTES) this.cut()
  }

  onResponseEnd(): void {
    this.settle()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(error)
  }

  /** Settles the answer after enough was read, and aborts the rest. */
  private cut(): void {
    this.settle()
    this.controller?.abort(new Error('Enough was read'))
  }

  /**
   * Settles the answer. If no body was requested, only the status counts, so an incomplete body is not an
   * error.
   */
  private settle(error?: Error): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    const { status, retryAfter } = this
    const { bytes } = this.limits
    if (error && (status === 0 || bytes > 0)) {
      this.done({ error })
      return
    }
    const body = bytes === 0 ? '' : Buffer.concat(this.parts).subarray(0, bytes).toString('utf8')
    this.done({ status, retryAfter, body })
  }
}
