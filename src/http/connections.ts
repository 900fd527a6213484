import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A connection, and how many of its requests are not answered yet. */
interface Connection {
  readonly socket: Socket
  pending: number
}

/**
 * Keeps a server to so many connections at once. One too many closes the connection that has been without a request for
 * longest; where all have one, it is closed itself. So whoever opens many and stays silent locks nobody out.
 */
export function limitConnections(server: Server, max: number): void {
  // In the order in which they were opened or last answered.
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket: Socket) => {
    if (connections.size >= max) {
      const idle = [...connections.values()].find(({ pending }) => pending === 0)
      const closed = idle?.socket ?? socket
      connections.delete(closed)
      closed.destroy()
      if (closed === socket) return
    }
    connections.set(socket, { socket, pending: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (!connection) return
    connection.pending++
    response.once('close', () => {
      connection.pending--
      if (connections.delete(socket)) connections.set(socket, connection)
    })
  })
}
