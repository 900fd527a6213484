import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'
import type { Visitor } from './console-page.js'

/** Decides who may see pages of the console and send their forms. */
export interface ConsoleGate {
  /**
   * The operator who is signed in to the environment. Undefined if the gate has sent an answer itself, such as a
   * redirect to the sign-in page.
   */
  readonly visitorOf: (
    request: FastifyRequest,
    reply: FastifyReply,
    environment: Environment,
  ) => Promise<Visitor | undefined>
  /** Fields of a visitor's posted form. Throws an `ApiError` unless its token, origin and content type are valid. */
  readonly gatePost: (request: FastifyRequest, visitor: Visitor) => ReadonlyMap<string, string>
  /** Serves the gate's own pages, such as the sign-in page. */
  readonly serve?: (pages: FastifyInstance) => void
}
