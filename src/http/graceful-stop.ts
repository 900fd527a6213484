import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.js'
import type { Logger } from './api/log.js'

/**
 * Returns a function that stops a server gracefully. The server accepts no more connections and closes idle ones. It
 * answers requests that have begun, closes each connection with its answer, and ends the background jobs. The rest is
 * cut off after `milliseconds`; then the app is closed. Further calls return the same promise.
 */
export function gracefulStop(
  server: FastifyInstance,
  app: App,
  milliseconds: number,
  log: Logger,
): (endJobs?: () => Promise<void>) => Promise<void> {
  const sockets = new Set<Socket>()
  let ended: Promise<void> | undefined
  let isEnding = false
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isEnding) reply.header('connection', 'close')
    done(null, payload)
  })

  async function stop(endJobs: () => Promise<void>): Promise<void> {
    isEnding = true
    const closed = server.close()
    const jobs = endJobs()
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
    await Promise.all([closed, Promise.race([jobs, late])])
    clearTimeout(deadline)
    await app.close()
  }

  return (endJobs = async () => undefined) => {
    ended ??= stop(endJobs)
    return ended
  }
}
