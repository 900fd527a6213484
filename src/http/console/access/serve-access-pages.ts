import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../engine/store/database/store.js'
import type { Access, AccessHandler, AccessPage } from './access-visit.js'
import { confirmPage } from './confirm-page.js'
import { showEntry, takeEntry } from './enter-page.js'
import { setUpPage } from './set-up-page.js'
import { showSignIn, signOut, takeSignIn } from './sign-in-page.js'

interface PageRoute {
  readonly Params: { readonly environment: string }
}

const PAGES: Readonly<Record<string, AccessPage>> = {
  'sign-in': { get: showSignIn, post: takeSignIn },
  'sign-out': { post: signOut },
  'set-up': setUpPage,
  confirm: confirmPage,
}

/**
 * Serves the console's pages for signing in and out, setting up proofs, and confirming. They work without a complete
 * session.
 */
export function serveAccessPages(pages: FastifyInstance, access: Access): void {
  for (const [name, { get, post }] of Object.entries(PAGES)) {
    const address = `/console/:environment(^test|live$)/${name}`
    const answering =
      (handler: AccessHandler) =>
      (request: FastifyRequest<PageRoute>, reply: FastifyReply): Promise<FastifyReply> => {
        access.expectHere(request)
        const environment: Environment = request.params.environment === 'live' ? 'live' : 'test'
        return handler({ request, reply, environment, access })
      }
    if (get) pages.get<PageRoute>(address, answering(get))
    pages.post<PageRoute>(address, answering(post))
  }
  pages.get('/console/enter/:code', showEntry(access))
  pages.post('/console/enter/:code', takeEntry(access))
}
