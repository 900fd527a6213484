import type { ConsolePage, ConsoleRequest } from '../console-page.js'
import { writePage } from '../write/write-page.js'
import { offeredWrite } from './offered-write.js'
import { offerAt } from './offers.js'

/** The pages of all offers: a form, a preview, and what was done. */
export const offerPages: ConsolePage = {
  matches: (path) => offerAt(path) !== undefined,
  get: async (request) => (await pageOf(request)?.get(request)) ?? { kind: 'missing' },
  post: async (request) => (await pageOf(request)?.post?.(request)) ?? { kind: 'missing' },
}

function pageOf({ path, visitor }: ConsoleRequest): ConsolePage | undefined {
  const found = offerAt(path)
  return found && writePage(offeredWrite(found.offer, visitor.app.model))
}
