import type { Environment } from '../../engine/store/database/store.js'
import { consoleAddress } from './console-page.js'

/** Pages of objects by the prefixes of their ids. */
const PAGES: Readonly<Record<string, string>> = {
  txn: 'transactions',
  cust: 'customers',
  inv: 'invoices',
  wh: 'webhooks',
  exc: 'exceptions',
}

/** The address of an object's page; the search leads to objects of other kinds by their ids. */
export function objectAddress(environment: Environment, id: string): string {
  const page = PAGES[id.split('_', 1)[0] ?? '']
  return page === undefined
    ? consoleAddress(environment, ['search'], [['q', id]])
    : consoleAddress(environment, [page, id])
}
