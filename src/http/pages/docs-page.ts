import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { send } from '../api/send-answer.js'

/** The documentation of the interface; it needs no key. */
export interface Docs {
  /** The interface as an OpenAPI document. */
  document(): Promise<object>
  /** The folder of the page that shows the document. */
  readonly folder: string
}

/** The content types of the page's files, by their names in its address. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
} as const

/** Allows only resources of this service, and no frames: operators type a key into this page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'max-age=600',
}

/** Serves `/openapi.json`, which is made at the first request, and `/docs`. */
export function serveDocs(server: FastifyInstance, { document, folder }: Docs): void {
  let text: Promise<string> | undefined
  server.get('/openapi.json', async (_request, reply) => {
    text ??= document().then((made) => JSON.stringify(made))
    return send(reply, 200, await text)
  })
  // Relative, so that it also works behind a proxy that adds a prefix.
  server.get('/docs', (_request, reply) => reply.redirect('docs/'))
  for (const [name, type] of Object.entries(FILES)) {
    server.get(`/docs/${name === 'index.html' ? '' : name}`, async (_request, reply) =>
      reply
        .headers(HEADERS)
        .type(type)
        .send(await readFile(join(folder, name))),
    )
  }
}
