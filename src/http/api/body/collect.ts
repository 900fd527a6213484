import type { Readable } from 'node:stream'
import { ApiError } from '../../../engine/core/request/errors.js'

/** How much of a body that is too large is read and thrown away, so that the client hears why. */
const PATIENCE = 16

/** Reads a body to its end. Throws `PayloadTooLarge`, after the client has sent the rest or far too much. */
export function collect(payload: Readable, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const tooLarge = () => new ApiError('PayloadTooLarge', `The body may have at most ${mostBytes} bytes`)
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
      else chunks.length = 0
      if (bytes > mostBytes * PATIENCE) reject(tooLarge())
    })
    payload.on('end', () => (bytes > mostBytes ? reject(tooLarge()) : resolve(Buffer.concat(chunks, bytes))))
    payload.on('error', reject)
  })
}
