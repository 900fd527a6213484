import type { Declared } from '../schema/resource.js'
import { accessToken } from './access-token.js'
import { account, customer, processingAccount } from './account.js'
import { accountAccess } from './account-access.js'
import { activity } from './activity.js'
import { apiKey } from './api-key.js'
import { billingCharge } from './billing-charge.js'
import { billingSchedule } from './billing-schedule.js'
import { dispute } from './dispute.js'
import { exception } from './exception.js'
import { gateway } from './gateway.js'
import { gatewayNotification } from './gateway-notification.js'
import { invoice } from './invoice.js'
import { invoiceAttachment } from './invoice-attachment.js'
import { legalEntity } from './legal-entity.js'
import { legalEntityOwner } from './legal-entity-owner.js'
import { lineItem } from './line-item.js'
import { linkNotification } from './link-notification.js'
import { mailMessage } from './mail-message.js'
import { mailServer } from './mail-server.js'
import { oauthGrant } from './oauth-grant.js'
import { oauthRedirect } from './oauth-redirect.js'
import { oauthUser } from './oauth-user.js'
import { operator } from './operator.js'
import { operatorSession } from './operator-session.js'
import { org } from './org.js'
import { paymentActivation } from './payment-activation.js'
import { paymentLink } from './payment-link.js'
import { paymentMethod } from './payment-method.js'
import { processingAgreement } from './processing-agreement.js'
import { processingSettings } from './processing-settings.js'
import { reader } from './reader.js'
import { receipt } from './receipt.js'
import { settlement } from './settlement.js'
import { settlementLine } from './settlement-line.js'
import { stakeholder } from './stakeholder.js'
import { transaction } from './transaction.js'
import { transactionLedger } from './transaction-ledger.js'
import { webhook } from './webhook.js'
import { webhookLog } from './webhook-log.js'

/** Every resource of the API, by its `object` name. */
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
  org,
  account_access: accountAccess,
  billing_schedule: billingSchedule,
  billing_charge: billingCharge,
  invoice,
  line_item: lineItem,
  invoice_attachment: invoiceAttachment,
  payment_link: paymentLink,
  link_notification: linkNotification,
  payment_activation: paymentActivation,
  receipt,
  reader,
  processing_agreement: processingAgreement,
  stakeholder,
  webhook,
  webhook_log: webhookLog,
  access_token: accessToken,
  api_key: apiKey,
  oauth_user: oauthUser,
  oauth_redirect: oauthRedirect,
  oauth_grant: oauthGrant,
  dispute,
  gateway,
  exception,
  gateway_notification: gatewayNotification,
  settlement,
  settlement_line: settlementLine,
  mail_server: mailServer,
  mail_message: mailMessage,
  operator,
  operator_session: operatorSession,
  activity,
} as const satisfies Record<string, Declared>
