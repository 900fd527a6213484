import type { AdminRules } from '../engine/core/write/rule.js'
import type { Rule, Work } from '../engine/core/write/work.js'
import { clockRules } from '../engine/jobs/clock-operations.js'
import type { DueJob } from '../engine/jobs/due-job.js'
import { expiryJob } from '../engine/jobs/expire.js'
import type { MovableClock } from '../engine/jobs/movable-clock.js'
import { runDueJobs } from '../engine/jobs/run-due-jobs.js'
import type { KnownBooks } from '../engine/store/books/compare-head.js'
import { defaultInput } from '../model/input/field-input.js'
import type { Clock, Timers } from '../platform/clock.js'
import type { Random } from '../platform/random.js'
import { resources } from '../resources/resource-table.js'
import type { Registry } from '../schema/registry.js'
import { oauthGrantRule } from './access/grants/grant-rule.js'
import { oauthRedirectRule } from './access/grants/redirect.js'
import { accessTokenRule } from './access/keys/access-token-rule.js'
import { apiKeyRule } from './access/keys/api-key-rule.js'
import { consoleEntryRules } from './access/operators/entry.js'
import { operatorRule } from './access/operators/operator-rule.js'
import { operatorSettingsRules } from './access/operators/operator-settings.js'
import { oauthUserRule } from './access/users/user.js'
import { accountAccessRule } from './accounts/account-access-rule.js'
import { accountRule } from './accounts/account-rule.js'
import { legalEntityOwnerRule, legalEntityRule } from './accounts/legal-entity-rule.js'
import { orgRule } from './accounts/org-rule.js'
import { expireActivations, paymentActivationRule } from './accounts/payment-activation-rule.js'
import { paymentMethodRule } from './accounts/payment-method-rule.js'
import { processingSettingsRule } from './accounts/processing-settings-rule.js'
import { attachmentRule } from './attachments/attachment.js'
import { batchRules } from './batch/batch-operations.js'
import { collectingActions } from './billing/collecting/collecting-actions.js'
import { collecting } from './billing/collecting/collecting-job.js'
import { invoiceRule } from './billing/invoices/invoice-rule.js'
import { lineItemRule } from './billing/invoices/line-item-rule.js'
import { billingChargeRule } from './billing/schedules/billing-charge-rule.js'
import { billingJobs, billingRules } from './billing/schedules/billing-operations.js'
import { billingScheduleRule } from './billing/schedules/billing-schedule-rule.js'
import { moveDays } from './billing/schedules/next-slot.js'
import { disputeRule } from './disputes/dispute-rule.js'
import { remindDisputes } from './disputes/remind-disputes.js'
import { simulateBank } from './disputes/simulate-bank.js'
import { explainRule } from './explain/explain-rule.js'
import { fundingRules, settlementJobs } from './funding/funding-operations.js'
import type { JobsAtGateway } from './gateway-jobs.js'
import { gatewayRule } from './gateways/gateway-rule.js'
import type { Gateways } from './gateways/gateways.js'
import { routeRules } from './gateways/routes.js'
import type { RailDeclarations } from './gateways/sealed-credentials.js'
import { expireLinks } from './links/expire-links.js'
import { linkNotificationRule } from './links/link-notification-rule.js'
import { paymentLinkRule } from './links/payment-link-rule.js'
import { mailExpiringCards } from './mail/expiring-cards.js'
import { mailMessageRule } from './mail/mail-message-rule.js'
import { mailServerRule } from './mail/mail-server-rule.js'
import { mailReminders } from './mail/reminders.js'
import type { SendOne } from './mail/send-mail.js'
import { expireAuthorizations } from './payments/take/expire-authorizations.js'
import { purgeRules } from './payments/take/purge-numbers.js'
import { saveAtGateway } from './payments/take/store-method.js'
import { automaticPayments } from './payments/take/take-payment.js'
import { transactionRule } from './payments/transaction-rule.js'
import { receiptRule } from './receipts/receipt-rule.js'
import { disputeRules } from './reconciliation/add-dispute.js'
import { catchUpRules } from './reconciliation/catch-up.js'
import { exceptionRule } from './reconciliation/exception-rule.js'
import { notificationRule } from './reconciliation/handle-notifications.js'
import { deleteOldNotifications } from './reconciliation/old-notifications.js'
import { readDisputes } from './reconciliation/read-disputes.js'
import { readCountsRule } from './reports/read-counts.js'
import { reportRules } from './reports/report-rules.js'
import { pullRules } from './settlements/pull-rules.js'
import { settlementJob } from './settlements/pull-settlements.js'
import { verifyRule } from './verify/verify.js'
import { readEventsRule } from './webhooks/read-events.js'
import { replayRule } from './webhooks/replay-rule.js'
import { webhookRule } from './webhooks/webhook-rule.js'

type Declared = typeof resources
/** The rule of each resource that has one, by the resource's name. */
type Rules = { readonly [N in keyof Declared]?: Rule<Declared[N]> }

/** Rules that the installation provides. */
type InstallationRules = Pick<AdminRules, 'read_maintenance' | 'set_maintenance' | 'read_status'>

interface RuleDependencies {
  readonly gateways: Gateways
  readonly rails: RailDeclarations
  /** Whether gateways may be on this machine. */
  readonly gatewayLoopback: boolean
  readonly random: Random
  readonly registry: Registry
  readonly sendOneMail: SendOne
  /** Largest size of an attachment, in bytes. */
  readonly attachmentBytes?: number | undefined
}

/** Rules of the resources, by the resource's name: the table through which the engine calls the domain. */
export const rules = ({
  gateways,
  rails,
  gatewayLoopback,
  random,
  registry,
  sendOneMail,
  attachmentBytes,
}: RuleDependencies): Rules => {
  const settings = defaultInput(resources.processing_settings.fields)
  const account = accountRule(settings, moveDays)
  return {
    account,
    customer: account,
    processing_account: account,
    processing_settings: processingSettingsRule,
    legal_entity: legalEntityRule,
    legal_entity_owner: legalEntityOwnerRule,
    payment_method: paymentMethodRule(gateways, saveAtGateway(gateways)),
    org: orgRule(settings, moveDays),
    account_access: accountAccessRule,
    transaction: transactionRule(gateways),
    receipt: receiptRule,
    invoice: { ...invoiceRule, actions: collectingActions(automaticPayments(gateways)) },
    invoice_attachment: attachmentRule(attachmentBytes),
    line_item: lineItemRule,
    billing_schedule: billingScheduleRule,
    billing_charge: billingChargeRule,
    payment_link: paymentLinkRule,
    link_notification: linkNotificationRule,
    payment_activation: paymentActivationRule,
    webhook: webhookRule(random),
    api_key: apiKeyRule(random, registry),
    access_token: accessTokenRule(random),
    operator: operatorRule(random),
    oauth_user: oauthUserRule(random),
    oauth_redirect: oauthRedirectRule,
    oauth_grant: oauthGrantRule,
    dispute: disputeRule(gateways),
    gateway: gatewayRule({ gateways, rails, loopback: gatewayLoopback }),
    exception: exceptionRule(gateways),
    gateway_notification: notificationRule,
    mail_server: mailServerRule(sendOneMail),
    mail_message: mailMessageRule,
  }
}

interface AdminDependencies {
  readonly gateways: Gateways
  /** Clock that can be moved; undefined where the environment keeps the real time. */
  readonly movable: MovableClock | undefined
  /** Reads the facts about the books that are kept in the home directory, outside of the database. */
  readonly knownBooks: () => KnownBooks
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
}

/** Rules of the admin operations, except those of the installation. */
export const adminRules = ({
  gateways,
  movable,
  knownBooks,
  clock,
  timers,
  random,
}: AdminDependencies): Omit<AdminRules, keyof InstallationRules> => ({
  ...clockRules(movable, (work) => allDueJobs(work, gateways), timers),
  ...fundingRules,
  ...billingRules(automaticPayments(gateways), runDueJobs, timers),
  ...routeRules(gateways),
  ...catchUpRules(gateways, clock),
  ...pullRules(gateways),
  ...purgeRules(gateways),
  ...disputeRules,
  ...simulateBank,
  ...operatorSettingsRules,
  ...verifyRule(knownBooks),
  ...explainRule,
  ...readEventsRule,
  ...readCountsRule,
  ...replayRule,
  ...batchRules,
  ...consoleEntryRules(random),
  ...reportRules,
})

/** Jobs that call no gateway outside this machine, in the order in which they run when they are due at the same moment. */
export const dueJobs = (gateways: Gateways): readonly DueJob[] => [
  expireAuthorizations(gateways),
  ...settlementJobs(),
  ...billingJobs(automaticPayments(gateways)),
  expiryJob(expireLinks),
  expiryJob(expireActivations),
  deleteOldNotifications,
  remindDisputes,
  mailReminders,
  mailExpiringCards,
]

/** Jobs that call a gateway outside this machine. */
export const gatewayJobs = (gateways: Gateways, name: string): JobsAtGateway => ({
  expire_authorizations: expireAuthorizations(gateways, name),
  settlements: settlementJob(gateways, name),
  read_disputes: readDisputes(gateways, name),
  automatic_payments: collecting(automaticPayments(gateways), undefined, name),
})

/** All jobs: those without a gateway, and those of every gateway that is connected now. */
async function allDueJobs(work: Work, gateways: Gateways): Promise<readonly DueJob[]> {
  const names = await gateways.names(work)
  return [...dueJobs(gateways), ...names.flatMap((name) => Object.values(gatewayJobs(gateways, name)))]
}
