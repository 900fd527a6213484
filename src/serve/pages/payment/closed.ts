import type { Page } from '../../../pages/page.js'
import { maintenancePage } from '../../../pages/payment/plain-page.js'
import { unpayablePage } from '../../../pages/payment/states.js'
import type { OpenedLink } from '../../../payments/links/open-link.js'

/** What is shown of a link that cannot be paid now; nothing when it can. */
export function closedTo(link: OpenedLink): { readonly status: number; readonly page: Page } | undefined {
  if (link.maintenance !== undefined) return { status: 503, page: maintenancePage(link.maintenance) }
  if (link.state === 'payable') return undefined
  return { status: 200, page: unpayablePage(link, link.state) }
}
