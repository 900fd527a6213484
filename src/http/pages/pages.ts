import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { send } from '../api/wire/answer.js'

/** What is served beside the interface; it needs no key. */
export interface Pages {
  /** The interface as an OpenAPI document. */
  document(): Promise<object>
  /** The folder of the page that shows it. */
  readonly folder: string
}

/** The files of the page, by the name they have in its address, with their types. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const

/** Nothing but what this service serves, and nobody frames it: a key is typed into this page. */
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

/** Serves `/openapi.json`, made when it is first asked for, and `/docs`. */
export function servePages(server: FastifyInstance, { document, folder }: Pages): void {
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
