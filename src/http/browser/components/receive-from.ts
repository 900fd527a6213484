import type { Posted } from '../frames/frame-message.js'

/** Calls `receive` with each message of a window of the service that has the nonce. Returns a function that stops it. */
export function receiveFrom<Message>(
  windowOf: () => Window | null,
  origin: string,
  nonce: string,
  receive: (message: Posted<Message>) => void,
): () => void {
  const listener = ({ origin: from, source, data }: MessageEvent<Posted<Message> | null>) => {
    if (from === origin && source !== null && source === windowOf() && data?.payctl === nonce) receive(data)
  }
  addEventListener('message', listener)
  return () => removeEventListener('message', listener)
}
