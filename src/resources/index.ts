import type { Resource } from '../schema/resource.js'
import { account, customer, processingAccount } from './account.js'
import { apiKey } from './api-key.js'
import { legalEntity } from './legal-entity.js'
import { legalEntityOwner } from './legal-entity-owner.js'
import { paymentMethod } from './payment-method.js'
import { processingSettings } from './processing-settings.js'
import { transaction } from './transaction.js'
import { transactionLedger } from './transaction-ledger.js'

/** Every resource of the interface, by its `object` name. */
export const resources = {
  account,
  customer,
  processing_account: processingAccount,
  processing_settings: processingSettings,
  legal_entity: legalEntity,
  legal_entity_owner: legalEntityOwner,
  payment_method: paymentMethod,
  transaction,
  transaction_ledger: transactionLedger,
  api_key: apiKey,
} as const satisfies Record<string, Resource>
