import { pageAddress } from '../../html/page-address.js'
import { consoleAddress, type Visitor } from '../console-page.js'
import { listPath } from '../elements/object-path.js'
import type { ValueContext } from '../elements/value.js'

/** Context for showing values to a visitor: the time zone, and the pages and names of other objects. */
export function valueContextOf(
  { app, environment, zone }: Visitor,
  names: ValueContext['names'] = new Map(),
): ValueContext {
  return {
    zone,
    names,
    searchOf: (id) => pageAddress(consoleAddress(environment, ['search'], [['q', id]])),
    addressOf(name, id) {
      const resource = app.model.find(name)
      return resource && pageAddress(consoleAddress(environment, [...listPath(resource), id]))
    },
  }
}
