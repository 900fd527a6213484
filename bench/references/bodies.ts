/** Reading and answering of payments, shared by both reference servers. */
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Payment {
  readonly amount: number
  readonly processing_id: string
  readonly payment_method: { readonly type: string; readonly card: { readonly expiry: string } }
}
/** A payment that is not yet durable, and its HTTP response, which is not yet sent. */
export interface Waiting {
  readonly payment: Payment
  readonly response: ServerResponse
}

export function read(request: IncomingMessage, done: (payment: Payment) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(JSON.parse(Buffer.concat(chunks).toString())))
}

export function answer(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
