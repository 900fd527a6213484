import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a server of this machine that can be cut and restored. */
export interface Proxy {
  readonly port: number
  /** Ends every connection and accepts no more. */
  cut(): Promise<void>
  restore(): Promise<void>
}

export async function openProxy(to: number): Promise<Proxy> {
  const ends = new Set<Socket>()
  const keep = (socket: Socket) => {
    ends.add(socket)
    // An end that is cut gets an error; then both are closed.
    socket.on('error', () => socket.destroy()).on('close', () => ends.delete(socket))
  }
  const server = createServer((socket) => {
    const other = connect(to, '127.0.0.1')
    keep(socket)
    keep(other)
    socket.pipe(other).pipe(socket)
  })
  const port = await listen(server, 0)
  return {
    port,
    async cut() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of ends) socket.destroy()
      await closed
    },
    async restore() {
      await listen(server, port)
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port')
  return address.port
}
