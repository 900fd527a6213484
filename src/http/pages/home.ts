import type { FastifyInstance } from 'fastify'
import { iconFile } from '../html/icon.js'
import { homePage } from './home-page.js'
import { sendPage } from './send-page.js'

/** Serves the addresses that browsers request by themselves: the root, and the icon of tabs. */
export function serveHome(server: FastifyInstance, hasDocs: boolean): void {
  const home = homePage(hasDocs)
  const icon = iconFile()
  server.get('/', (_request, reply) => sendPage(reply, 200, home))
  server.get('/favicon.ico', (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .type('image/x-icon')
      .send(icon),
  )
}
