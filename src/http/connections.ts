import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A connection, with the number of its requests that are not answered yet. */
interface Connection {
  readonly socket: Socket
  pending: number
}

/**
 * Limits the connections of a server. For a new connection beyond the limit, the connection that has been idle for
 * longest is closed. If no connection is idle, the new connection is closed. So no client can lock out other clients by
 * opening many silent connections.
 */
export function limitConnections(server: Server, max: number): void {
  // Connections in the order in which they were opened or last answered.
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
