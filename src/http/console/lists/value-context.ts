import { listPath } from '../../views/console/object-path.js'
import type { ValueContext } from '../../views/console/value.js'
import { pageAddress } from '../../views/page-address.js'
import { consoleAddress, type Visitor } from '../console-page.js'

/** What values need to be shown to a visitor: their zone, and the pages of other objects. */
export function valueContextOf({ app, environment, zone }: Visitor): ValueContext {
  return {
    zone,
    addressOf(name, id) {
      const resource = app.model.find(name)
      return resource && pageAddress(consoleAddress(environment, [...listPath(resource), id]))
    },
  }
}
