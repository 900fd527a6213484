import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { send } from '../api/send-answer.js'

/** The documentation of the API; it needs no key. */
export interface Docs {
  /** The API as an OpenAPI document. */
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

const compress = promisify(gzip)

/** An encoding that a client accepts, and has not refused by `q=0`. RFC 9110, 12.5.3. */
const GZIP = /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i

/** A large body, which is read and compressed once. */
interface CompressibleBody {
  plain(): Promise<Buffer>
  compressed(): Promise<Buffer>
}

/** Serves `/openapi.json`, which is made at the first request, and `/docs`; compressed for clients that accept it. */
export function serveDocs(server: FastifyInstance, { document, folder }: Docs): void {
  const openapi = bodyOf(async () => Buffer.from(JSON.stringify(await document())))
  server.get('/openapi.json', async (request, reply) =>
    send(reply, 200, await encoded(request, reply, openapi)),
  )
  // Relative, so that it also works behind a proxy that adds a prefix.
  server.get('/docs', (_request, reply) => reply.redirect('docs/'))
  for (const [name, type] of Object.entries(FILES)) {
    const file = bodyOf(() => readFile(join(folder, name)))
    server.get(`/docs/${name === 'index.html' ? '' : name}`, async (request, reply) =>
      reply
        .headers(HEADERS)
        .type(type)
        .send(await encoded(request, reply, file)),
    )
  }
}

function bodyOf(read: () => Promise<Buffer>): CompressibleBody {
  let plain: Promise<Buffer> | undefined
  let compressed: Promise<Buffer> | undefined
  const body = {
    plain: () => (plain ??= read()),
    compressed: () => (compressed ??= body.plain().then((bytes) => compress(bytes))),
  }
  return body
}

/** The body in an encoding that the client accepts. A header of the answer names the encoding. */
async function encoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: CompressibleBody,
): Promise<Buffer> {
  // Requests from pages of other origins have the header `Vary` already.
  reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', '))
  const accepted = String(headers['accept-encoding'] ?? '').split(',')
  if (!accepted.some((one) => GZIP.test(one))) return await body.plain()
  reply.header('content-encoding', 'gzip')
  return await body.compressed()
}
