import type { ResourceModel } from '../../../model/resource-model.js'
import { ACTIVITY_LIST } from '../lists/activity-list.js'
import { depositPages } from '../money/deposit-pages.js'
import { disputePages } from '../money/dispute-pages.js'
import { exceptionPages } from '../money/exception-pages.js'
import { transactionPages } from '../money/transaction-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { accountPages } from './account-pages.js'
import { customerPages } from './customer-pages.js'
import { gatewayPages } from './gateway-pages.js'
import { invoicePages } from './invoice-pages.js'
import { keyPages } from './key-pages.js'
import { linkPages } from './link-pages.js'
import { operatorPages } from './operator-pages.js'
import { schedulePages } from './schedule-pages.js'
import { webhookPages } from './webhook-pages.js'

/** Resources whose pages show or do more than follows from their declarations. */
export const CONSOLE_RESOURCES: readonly ResourcePages[] = [
  transactionPages,
  customerPages,
  invoicePages,
  schedulePages,
  linkPages,
  depositPages,
  disputePages,
  exceptionPages,
  webhookPages,
  keyPages,
  gatewayPages,
  operatorPages,
  accountPages,
  { resource: 'activity', at: ['activity'], list: ACTIVITY_LIST },
]

/** Attributes that lists of a resource show. */
export function listColumns({ name, columns }: Pick<ResourceModel, 'name' | 'columns'>): readonly string[] {
  return CONSOLE_RESOURCES.find(({ resource }) => resource === name)?.list.columns ?? columns
}
