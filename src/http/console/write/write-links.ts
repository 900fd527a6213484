import type { JsonObject } from '../../../schema/json.js'
import { reaches } from '../../../schema/role.js'
import { element, type Html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink } from '../elements/list-html.js'
import { type ConsoleWrite, idsIn, leastOf, type WriteLink } from './console-write.js'

type Writes = readonly ConsoleWrite[]

/** The writes whose pages are one segment below a path, such as those of one object. */
export function writesBelow(path: readonly string[], writes: Writes): Writes {
  return writes.filter((write) => {
    const last = write.at.at(-1) ?? ''
    return !last.startsWith(':') && idsIn(write, [...path, last]) !== undefined
  })
}

/** Links to writes below a page that the visitor's role may use, and that the object of the page is open to. */
export function writeLinks(request: ConsoleRequest, writes: Writes, object?: JsonObject): readonly Html[] {
  return writes.flatMap((write) => {
    const link = usableLink(request, write)
    if (!link || (object && link.when?.(object) === false)) return []
    const address = consoleAddress(request.visitor.environment, [...request.path, write.at.at(-1) ?? ''])
    return [actionLink(pageAddress(address), link.label)]
  })
}

/**
 * A link to the write whose page is below this page, such as a write about a row of a list. Undefined if the visitor's
 * role may not use it.
 */
export function writeLinkAt(
  request: ConsoleRequest,
  writes: Writes,
  below: readonly string[],
): Html | undefined {
  const path = [...request.path, ...below]
  const write = writes.find((each) => idsIn(each, path))
  const link = write && usableLink(request, write)
  const href = pageAddress(consoleAddress(request.visitor.environment, path))
  return link && element('a', { href, class: 'keep' }, link.label)
}

function usableLink({ visitor }: ConsoleRequest, write: ConsoleWrite): WriteLink | undefined {
  const { app, principal } = visitor
  return reaches(principal.role ?? 'owner', leastOf(write, app.model)) ? write.link : undefined
}
