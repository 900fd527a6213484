import type { Outgoing, OutgoingOptions } from './outgoing.js'

/** Like `openOutgoing`, which is loaded with the first request only: most processes never make one. */
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
