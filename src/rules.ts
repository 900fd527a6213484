import { accountRule } from './accounts/account.js'
import { accountAccessRule } from './accounts/account-access.js'
import { defaultInput } from './accounts/defaults.js'
import { expireActivations } from './accounts/expire-activations.js'
import { legalEntityRule } from './accounts/legal-entity.js'
import { legalEntityOwnerRule } from './accounts/legal-entity-owner.js'
import { orgRule } from './accounts/org.js'
import { paymentActivationRule } from './accounts/payment-activation.js'
import { paymentMethodRule } from './accounts/payment-method.js'
import { processingSettingsRule } from './accounts/processing-settings.js'
import { attachmentRule } from './attachments/attachment.js'
import { batchRules } from './batch/batch-operations.js'
import { billingChargeRule } from './billing/billing-charge.js'
import { billingScheduleRule } from './billing/billing-schedule.js'
import { invoiceRule } from './billing/invoice.js'
import { lineItemRule } from './billing/line-item.js'
import { moveDays } from './billing/move-days.js'
import { billingJobs, billingRules } from './billing/schedules/billing-operations.js'
import type { AdminRules } from './core/admin/rule.js'
import type { Rules } from './core/work.js'
import { clockRules } from './due/clock-operations.js'
import { doDue } from './due/do-due.js'
import { expiryJob } from './due/expire.js'
import type { DueJob } from './due/job.js'
import type { MovableClock } from './due/movable-clock.js'
import type { Random } from './effects/random.js'
import type { Gateway } from './gateways/gateway.js'
import { readMaintenance, setMaintenance } from './maintenance/switch.js'
import { oauthGrantRule } from './oauth/grants/grant.js'
import { oauthRedirectRule } from './oauth/grants/redirect.js'
import { oauthUserRule } from './oauth/users/user.js'
import { automaticPayment } from './payments/automatic-payment.js'
import { simulate } from './payments/disputes/simulate.js'
import { expireAuthorizations } from './payments/expire-authorizations.js'
import { explainRule } from './payments/explain/explain.js'
import { fundingRules } from './payments/funding/funding-operations.js'
import { settlement } from './payments/funding/settlement.js'
import { expireLinks } from './payments/links/expire-links.js'
import { paymentLinkRule } from './payments/links/payment-link.js'
import { receiptRule } from './payments/receipt-rule.js'
import { transactionRule } from './payments/transaction-rule.js'
import { resources } from './resources/index.js'
import { verifyRule } from './verify/verify.js'
import { readEventsRule } from './webhooks/read-events.js'
import { replayRule } from './webhooks/replay.js'
import { webhookRule } from './webhooks/webhook.js'

/** What rules need of the world outside. */
interface Outside {
  /** Without one no money moves. */
  readonly gateway: Gateway | undefined
  readonly random: Random
  /** The largest file that is attached. */
  readonly attachmentBytes?: number | undefined
}

/** The one table where the rules of the business meet the engine. */
export const rules = ({ gateway, random, attachmentBytes }: Outside): Rules => {
  const settings = defaultInput(resources.processing_settings.fields)
  const account = accountRule(settings, moveDays)
  return {
    account,
    customer: account,
    processing_account: account,
    processing_settings: processingSettingsRule,
    legal_entity: legalEntityRule,
    legal_entity_owner: legalEntityOwnerRule,
    payment_method: paymentMethodRule,
    org: orgRule(settings, moveDays),
    account_access: accountAccessRule,
    transaction: transactionRule(gateway),
    receipt: receiptRule,
    invoice: invoiceRule,
    invoice_attachment: attachmentRule(attachmentBytes),
    line_item: lineItemRule,
    billing_schedule: billingScheduleRule,
    billing_charge: billingChargeRule,
    payment_link: paymentLinkRule,
    payment_activation: paymentActivationRule,
    webhook: webhookRule(random),
    oauth_user: oauthUserRule(random),
    oauth_redirect: oauthRedirectRule,
    oauth_grant: oauthGrantRule,
  }
}

/** The same for what only operators do. Without a movable clock the environment keeps the real time. */
export const adminRules = (
  gateway: Gateway | undefined,
  clock: MovableClock | undefined,
  jobs: readonly DueJob[],
): AdminRules => ({
  read_maintenance: readMaintenance,
  set_maintenance: setMaintenance,
  ...clockRules(clock, jobs),
  ...fundingRules(doDue),
  ...billingRules(gateway && automaticPayment(gateway), doDue),
  simulate,
  ...verifyRule,
  ...explainRule,
  ...readEventsRule,
  ...replayRule,
  ...batchRules,
})

/** What is done when its time has come; at the same moment in this order. */
export const dueJobs = (gateway: Gateway | undefined): readonly DueJob[] => [
  ...(gateway ? [expireAuthorizations(gateway)] : []),
  ...settlement(),
  ...billingJobs(gateway && automaticPayment(gateway)),
  expiryJob(expireLinks),
  expiryJob(expireActivations),
]
