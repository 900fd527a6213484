import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.js'
import type { Logger } from './api/wire/log.js'

/**
 * The graceful end of a server: it accepts no more connections, closes those that wait idle, answers what has
 * begun and closes each connection with its answer, and ends the chores. What is not done after `milliseconds` is cut
 * off. Then the app is closed. Asked again, it answers the same promise.
 */
export function stopper(
  server: FastifyInstance,
  app: App,
  milliseconds: number,
  log: Logger,
): (endChores?: () => Promise<void>) => Promise<void> {
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

  async function stop(endChores: () => Promise<void>): Promise<void> {
    ending = true
    const closed = server.close()
    const chores = endChores()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    let giveUp: () => void = () => undefined
    const late = new Promise<void>((resolve) => {
      giveUp = resolve
    })
    const deadline = setTimeout(() => {
      log.warn({ connections: sockets.size }, 'stopped before everything was done')
      server.server.closeAllConnections()
      giveUp()
    }, milliseconds)
    await Promise.all([closed, Promise.race([chores, late])])
    clearTimeout(deadline)
    await app.close()
  }

  return (endChores = async () => undefined) => {
    ended ??= stop(endChores)
    return ended
  }
}
