import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { type OpenedFile, openAttachment } from '../../domain/attachments/open-attachment.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import { type AddressRoute, signedAddressOf } from './signed-address.js'

/** Headers of a file. It is downloaded, never shown, so that no code in it runs with the origin of this service. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/** Serves the files of attachments at their signed addresses, without a key. */
export function serveAttachedFiles(server: FastifyInstance, app: App): void {
  server.get<AddressRoute>('/files/:environment/:id', async (request, reply) => {
    const file = await fileAt(app, request)
    // One text for a wrong address, an expired one and a deleted file, so that guessing reveals no file.
    if (!file) throw new ApiError('NotFound', 'There is no such file, or its address has expired')
    return sendFile(reply, file)
  })
}

async function fileAt(app: App, request: FastifyRequest<AddressRoute>): Promise<OpenedFile | undefined> {
  const address = signedAddressOf(request)
  if (!address) return undefined
  const { core } = await app.environment(address.environment)
  return await core.read((work) => openAttachment(work, address))
}

function sendFile(reply: FastifyReply, { name, contentType, bytes }: OpenedFile): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('content-type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType)
    .header('content-disposition', disposition(name))
    .send(bytes)
}

/** The file's name twice: in ASCII for every client, and encoded with all its characters (RFC 6266). */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
