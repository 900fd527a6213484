import type { Outgoing, OutgoingOptions } from './outgoing.js'

/**
 * Loads the code for outgoing requests with the first request, because most processes never make such a
 * request.
 */
export function lateOutgoing(options: OutgoingOptions): Outgoing {
  let opening: Promise<Outgoing> | undefined
  let opened: Outgoing | undefined
  const open = async () => {
    opening ??= import('./outgoing.js').then(({ openOutgoing }) => openOutgoing(options))
    opened = await opening
    return opened
  }
  return {
    post: async (request) => await (opened ?? (await open())).post(request),
    close: async () => await (await opening)?.close(),
  }
}
