import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a server of this machine that can be cut and restored. */
export interface Proxy {
  readonly port: number
  /** Ends every connection and accepts no more. */
  cut(): Promise<void>
  /** Accepts connections again, to another port if one is given. */
  restore(to?: number): Promise<void>
  /**
   * Cuts the connection on which a client next sends this text. The cut comes before the server gets the
   * text, or after the server's answer, which the client does not get.
   */
  cutAt(text: string, moment: 'sent' | 'answered'): void
}

interface Trap {
  readonly text: string
  readonly moment: 'sent' | 'answered'
}

export async function openProxy(first: number): Promise<Proxy> {
  let to = first
  const ends = new Set<Socket>()
  const keep = (socket: Socket) => {
    ends.add(socket)
    // A cut socket reports an error before it closes.
    socket.on('error', () => socket.destroy()).on('close', () => ends.delete(socket))
  }
  let trap: Trap | undefined
  const server = createServer((socket) => {
    const other = connect(to, '127.0.0.1')
    keep(socket)
    keep(other)
    let isSilent = false
    let before = Buffer.alloc(0)
    const cut = () => {
      socket.destroy()
      other.destroy()
    }
    // The text may arrive in two chunks.
    const isTrapped = (chunk: Buffer) => {
      if (!trap) return false
      const seen = Buffer.concat([before, chunk])
      before = seen.subarray(-trap.text.length)
      return seen.includes(trap.text)
    }
    socket.on('data', (chunk) => {
      if (isTrapped(chunk)) {
        isSilent = trap?.moment === 'answered'
        trap = undefined
        if (!isSilent) return cut()
      }
      other.write(chunk)
    })
    other.on('data', (chunk) => {
      if (isSilent) cut()
      else socket.write(chunk)
    })
    socket.on('end', () => other.end())
    other.on('end', () => socket.end())
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
    async restore(next = to) {
      to = next
      await listen(server, port)
    },
    cutAt(text, moment) {
      trap = { text, moment }
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
