import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.js'
import { ApiError } from '../engine/core/request/errors.js'
import { decodePath, queryOf, splitTarget } from './api/wire/target.js'

/** A file is saved, never shown: whoever made it runs nothing in the name of this service. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Parameters of an address; more are not looked at. */
const MOST_PARAMETERS = 10

/** Serves the files of attachments to whoever has their address, which needs no key. */
export function serveFiles(server: FastifyInstance, app: App): void {
  server.get('/files/:environment/:id', async (request, reply) => {
    const file = await fileAt(app, request)
    // Wrong, ended or gone: whoever guesses learns nothing.
    if (!file) throw new ApiError('NotFound', 'There is no such file, or its address has ended')
    return sendFile(reply, file)
  })
}

type File = NonNullable<Awaited<ReturnType<App['openFile']>>>

async function fileAt(app: App, request: FastifyRequest): Promise<File | undefined> {
  const { path, search } = splitTarget(request.raw.url ?? '/')
  const [, , environment, id = ''] = decodePath(path).split('/')
  if (environment !== 'test' && environment !== 'live') return undefined
  const { until, signature = '' } = Object.fromEntries(queryOf(search, MOST_PARAMETERS) ?? [])
  return await app.openFile(environment, { id, until, signature })
}

function sendFile(reply: FastifyReply, { name, contentType, bytes }: File): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('content-type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType)
    .header('content-disposition', disposition(name))
    .send(bytes)
}

/** The name in the form that every client reads, and in the one that knows all characters (RFC 6266). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
