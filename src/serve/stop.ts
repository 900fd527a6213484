import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.js'
import type { Logger } from './log.js'

/**
 * The graceful end of a server: it accepts no more connections, closes those that wait idle, answers what has
 * begun and closes each connection with its answer. What is not done after `milliseconds` is cut off. Then the app
 * is closed. Asked again, it answers the same promise.
 */
export function stopper(
  server: FastifyInstance,
  app: App,
  milliseconds: number,
  log: Logger,
): () => Promise<void> {
  const sockets = new Set<Socket>()
  let ended: Promise<void> | undefined
  let ending = false
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (ending) reply.header('connection', 'close')
    done(null, payload)
  })

  async function stop(): Promise<void> {
    ending = true
    const closed = server.close()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const deadline = setTimeout(() => {
      log.warn({ connections: sockets.size }, 'stopped before every request was done')
      server.server.closeAllConnections()
    }, milliseconds)
    await closed
    clearTimeout(deadline)
    await app.close()
  }

  return () => {
    ended ??= stop()
    return ended
  }
}
