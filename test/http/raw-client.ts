import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { JsonObject } from '../../src/schema/json.js'

/** A connection that says exactly what a test wants, and hears everything until it ends. */
export interface RawClient {
  readonly socket: Socket
  say(text: string): void
  /** Waits until what was heard so far matches. */
  hear(pattern: RegExp): Promise<string>
  /** Everything heard, once the other side has closed. */
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

/** The status and body of the last answer in what was heard. */
export function lastAnswer(heard: string): { status: number; body: JsonObject } {
  const start = heard.lastIndexOf('HTTP/1.1 ')
  const [head = '', body = ''] = heard.slice(start).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
