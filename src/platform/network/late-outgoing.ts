import type { Outgoing, OutgoingOptions } from './outgoing.js'

/** Requests to hosts of others for who may never make one: what they take is loaded with the first. */
export function lateOutgoing(options: OutgoingOptions): Outgoing {
  let opening: Promise<Outgoing> | undefined
  const open = () => {
    opening ??= import('./outgoing.js').then(({ openOutgoing }) => openOutgoing(options))
    return opening
  }
  return {
    post: async (request) => await (await open()).post(request),
    close: async () => await (await opening)?.close(),
  }
}
