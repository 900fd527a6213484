import type { FastifyInstance } from 'fastify'
import { connectScript } from '../views/oauth/connect-script.js'
import { serveAuthorize } from './authorize-page.js'
import { serveTokens } from './serve-tokens.js'
import type { OauthDependencies } from './visit.js'

/** Headers of the script, which any page may load: it does no more than a page could do by itself. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'max-age=600',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/** Serves `/connect.js`, the page that grants access, and the token endpoints. Spec: "OAuth 2.0 access". */
export function serveOauth(server: FastifyInstance, dependencies: OauthDependencies): void {
  server.get('/connect.js', (_request, reply) => reply.headers(SCRIPT_HEADERS).send(connectScript))
  serveAuthorize(server, dependencies)
  serveTokens(server, dependencies)
}
