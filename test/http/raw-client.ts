import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { JsonObject } from '../../src/schema/json.js'

/** A connection that sends the exact bytes of a test, and collects all received data. */
export interface RawClient {
  readonly socket: Socket
  say(text: string): void
  /** Waits until the received data match. */
  hear(pattern: RegExp): Promise<string>
  /** All received data, after the other side has closed. */
  ended(): Promise<string>
}

export async function rawClient(address: string): Promise<RawClient> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    heard += text
  })
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return {
    socket,
    say: (text) => void socket.write(text),
    async hear(pattern) {
      while (!pattern.test(heard)) await once(socket, 'data')
      return heard
    },
    async ended() {
      await closed
      return heard
    },
  }
}

/** Status and body of the last answer in the received data. */
export function lastAnswer(heard: string): { status: number; body: JsonObject } {
  const start = heard.lastIndexOf('HTTP/1.1 ')
  const [head = '', body = ''] = heard.slice(start).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
