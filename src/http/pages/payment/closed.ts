import type { OpenedLink } from '../../../domain/links/open-link.js'
import type { Page } from '../../views/page.js'
import { maintenancePage } from '../../views/payment/plain-page.js'
import { unpayablePage } from '../../views/payment/states.js'

/** What is shown of a link that cannot be paid now; nothing when it can. */
export function closedTo(link: OpenedLink): { readonly status: number; readonly page: Page } | undefined {
  if (link.maintenance !== undefined) return { status: 503, page: maintenancePage(link.maintenance) }
  if (link.state === 'payable') return undefined
  return { status: 200, page: unpayablePage(link, link.state) }
}
