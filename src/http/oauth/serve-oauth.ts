import type { FastifyInstance } from 'fastify'
import { serveAuthorize } from './authorize-page.js'
import { serveTokens } from './serve-tokens.js'
import type { OauthDependencies } from './visit.js'

/** Serves the page that grants access, and the token endpoints. Spec: "OAuth 2.0 access". */
export function serveOauth(server: FastifyInstance, dependencies: OauthDependencies): void {
  serveAuthorize(server, dependencies)
  serveTokens(server, dependencies)
}
