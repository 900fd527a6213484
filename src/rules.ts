import { accountRule } from './accounts/account.js'
import { defaultInput } from './accounts/defaults.js'
import { legalEntityRule } from './accounts/legal-entity.js'
import { legalEntityOwnerRule } from './accounts/legal-entity-owner.js'
import { paymentMethodRule } from './accounts/payment-method.js'
import { processingSettingsRule } from './accounts/processing-settings.js'
import type { AdminRules } from './core/admin/rule.js'
import type { Rules } from './core/work.js'
import type { Gateway } from './gateways/gateway.js'
import { readMaintenance, setMaintenance } from './maintenance/switch.js'
import { transactionRule } from './payments/transaction-rule.js'
import { resources } from './resources/index.js'

/** The one table where the rules of the business meet the engine. Without a gateway no money moves. */
export const rules = (gateway: Gateway | undefined): Rules => {
  const account = accountRule(defaultInput(resources.processing_settings.fields))
  return {
    account,
    customer: account,
    processing_account: account,
    processing_settings: processingSettingsRule,
    legal_entity: legalEntityRule,
    legal_entity_owner: legalEntityOwnerRule,
    payment_method: paymentMethodRule,
    transaction: transactionRule(gateway),
  }
}

/** The same for what only operators do. */
export const adminRules: AdminRules = {
  read_maintenance: readMaintenance,
  set_maintenance: setMaintenance,
}
