import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createIndex, createTable, type IndexOptions } from '../builder/table.js'
import {
  accessTokensColumns,
  adminKeysColumns,
  adminOauthGrantsColumns,
  adminOauthRedirectsColumns,
  adminOauthUsersColumns,
  oauthTokensColumns,
} from './access.js'
import {
  accountAccessColumns,
  accountsColumns,
  legalEntitiesColumns,
  legalEntityOwnersColumns,
  orgsColumns,
  processingAgreementsColumns,
  processingSettingsColumns,
  readersColumns,
  stakeholdersColumns,
} from './accounts.js'
import {
  attachmentContentsColumns,
  billingChargesColumns,
  billingSchedulesColumns,
  collectionsColumns,
  invoiceAttachmentsColumns,
  invoicesColumns,
  lineItemsColumns,
} from './billing.js'
import {
  paymentActivationsColumns,
  paymentLinksColumns,
  paymentMethodsColumns,
  postingsColumns,
  receiptsColumns,
  transactionLedgersColumns,
  transactionsColumns,
} from './payments.js'
import {
  batchesColumns,
  batchRowsColumns,
  clockColumns,
  deliveriesColumns,
  eventsColumns,
  fanOutColumns,
  idempotencyRecordsColumns,
  maintenanceColumns,
  webhookLogsColumns,
  webhooksColumns,
} from './service.js'

/** Every resource's table, the journal, the outbox, idempotency. */
export const firstMigration: Migration = async (tx) => {
  await createTable(tx, 'accounts', accountsColumns)
  await createTable(tx, 'processing_settings', processingSettingsColumns)
  await createTable(tx, 'legal_entities', legalEntitiesColumns)
  await createTable(tx, 'legal_entity_owners', legalEntityOwnersColumns)
  await createTable(tx, 'payment_methods', paymentMethodsColumns)
  await createTable(tx, 'transactions', transactionsColumns, {
    checks: {
      amount_above_zero: sql`amount > 0`,
      refundable: sql`coalesce(refunded, 0) >= 0 and coalesce(charged_back, 0) >= 0
        and coalesce(refunded, 0) + coalesce(charged_back, 0) <= amount`,
      allocatable: sql`coalesce(allocated, 0) >= 0 and coalesce(allocated, 0) <= amount`,
    },
  })
  await createTable(tx, 'transaction_ledgers', transactionLedgersColumns, {
    checks: {
      amount_not_zero: sql`amount <> 0`,
      of_two: sql`transaction_id <> assoc_transaction_id`,
    },
    references: { transaction_id: 'transactions', assoc_transaction_id: 'transactions' },
  })
  await createTable(tx, 'postings', postingsColumns, {
    checks: { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` },
    references: { transaction_id: 'transactions' },
    clustered: true,
  })
  await createTable(tx, 'events', eventsColumns, { clustered: true })
  await createTable(tx, 'deliveries', deliveriesColumns, { clustered: true })
  await createTable(tx, 'fan_out', fanOutColumns)
  await createTable(tx, 'idempotency_records', idempotencyRecordsColumns)
  await createTable(tx, 'batches', batchesColumns)
  await createTable(tx, 'batch_rows', batchRowsColumns, { references: { batch_id: 'batches' } })
  await createTable(tx, 'maintenance', maintenanceColumns)
  await createTable(tx, 'clock', clockColumns)
  await createTable(tx, 'admin_keys', adminKeysColumns)
  await createTable(tx, 'admin_oauth_users', adminOauthUsersColumns)
  await createTable(tx, 'admin_oauth_redirects', adminOauthRedirectsColumns)
  await createTable(tx, 'admin_oauth_grants', adminOauthGrantsColumns)
  await createTable(tx, 'oauth_tokens', oauthTokensColumns, {
    references: { grant_id: 'admin_oauth_grants' },
  })
  await createTable(tx, 'orgs', orgsColumns)
  await createTable(tx, 'account_access', accountAccessColumns)
  await createTable(tx, 'billing_schedules', billingSchedulesColumns)
  await createTable(tx, 'billing_charges', billingChargesColumns)
  await createTable(tx, 'invoices', invoicesColumns, {
    checks: {
      totals: sql`amount_due = total_due - total_paid`,
      not_overpaid: sql`total_paid >= 0 and (total_paid <= total_due or total_paid = 0)`,
      items: sql`item_count >= 0`,
    },
  })
  await createTable(tx, 'line_items', lineItemsColumns)
  await createTable(tx, 'collections', collectionsColumns)
  await createTable(tx, 'invoice_attachments', invoiceAttachmentsColumns)
  await createTable(tx, 'attachment_contents', attachmentContentsColumns)
  await createTable(tx, 'payment_links', paymentLinksColumns)
  await createTable(tx, 'payment_activations', paymentActivationsColumns)
  await createTable(tx, 'receipts', receiptsColumns, { clustered: true })
  await createTable(tx, 'readers', readersColumns)
  await createTable(tx, 'processing_agreements', processingAgreementsColumns)
  await createTable(tx, 'stakeholders', stakeholdersColumns)
  await createTable(tx, 'webhooks', webhooksColumns)
  await createTable(tx, 'webhook_logs', webhookLogsColumns)
  await createTable(tx, 'access_tokens', accessTokensColumns)
  for (const [table, columns, options] of indexes) await createIndex(tx, table, columns, options)
}

/** Lists are newest first; an index that ends with the time serves a filter in that order. */
const newest = ['created_at', 'id'] as const
/** Rows with null in the column have no entry; a query for a value still uses the index. */
const sparse: IndexOptions = { sparse: true }
const unique: IndexOptions = { unique: true }

const indexes: readonly (readonly [table: string, columns: readonly string[], options?: IndexOptions])[] = [
  ['accounts', newest],
  ['accounts', ['type', 'created_at']],
  ['accounts', ['email'], sparse],
  ['accounts', ['name']],
  ['accounts', ['primary_processing_id', 'created_at'], sparse],
  ['accounts', ['processing__status', 'created_at'], sparse],
  ['accounts', ['processing_settings_id'], sparse],
  ['accounts', ['legal_entity_id'], sparse],
  ['accounts', ['parent_org_id'], sparse],
  ['accounts', ['bill_due_at'], sparse],
  ['processing_settings', newest],
  ['legal_entities', newest],
  ['legal_entities', ['legal_name']],
  ['legal_entity_owners', newest],
  ['legal_entity_owners', ['legal_entity_id']],
  ['payment_methods', newest],
  ['payment_methods', ['account_id', 'created_at'], sparse],
  ['payment_methods', ['card__card_number_hash'], sparse],
  ['payment_methods', ['bank_account__account_number_hash'], sparse],
  ['payment_methods', ['legal_entity_id'], sparse],
  ['payment_methods', ['processing_agreement_id'], sparse],
  ['transactions', newest],
  ['transactions', ['type', 'created_at']],
  ['transactions', ['status', 'created_at']],
  ['transactions', ['funding_status', 'created_at']],
  ['transactions', ['processing_id', 'created_at']],
  ['transactions', ['customer_id', 'created_at'], sparse],
  ['transactions', ['payment_method_id']],
  ['transactions', ['order_number'], sparse],
  ['transactions', ['amount']],
  ['transactions', ['pending_operation'], sparse],
  ['transactions', ['payment_link_id'], sparse],
  ['transactions', ['method_fingerprint', 'created_at'], sparse],
  ['transactions', ['reader_id'], sparse],
  ['transactions', ['ref_number'], unique],
  ['transactions', ['awaiting', 'due_at', 'processing_id', 'id'], sparse],
  ['transactions', ['period', 'processing_id'], { ...unique, ...sparse }],
  ['transactions', ['dispute', 'type'], { ...unique, ...sparse }],
  ['transaction_ledgers', newest],
  ['transaction_ledgers', ['transaction_id']],
  ['transaction_ledgers', ['assoc_transaction_id']],
  ['orgs', newest],
  ['orgs', ['name']],
  ['orgs', ['parent_org_id'], sparse],
  ['orgs', ['primary_processing_id'], sparse],
  ['orgs', ['processing_settings_id'], sparse],
  ['account_access', newest],
  ['account_access', ['org_id']],
  ['account_access', ['account_id']],
  ['billing_schedules', newest],
  ['billing_schedules', ['customer_id', 'created_at']],
  ['billing_schedules', ['processing_id', 'created_at']],
  ['billing_schedules', ['recurring_frequency'], sparse],
  ['billing_schedules', ['start_date'], sparse],
  ['billing_schedules', ['type'], sparse],
  ['billing_charges', newest],
  ['billing_charges', ['billing_schedule_id']],
  ['billing_charges', ['type'], sparse],
  ['invoices', newest],
  ['invoices', ['customer_id', 'created_at']],
  ['invoices', ['processing_id', 'created_at'], sparse],
  ['invoices', ['billing_schedule_id', 'created_at'], sparse],
  ['invoices', ['due_date'], sparse],
  ['invoices', ['amount_due'], sparse],
  ['invoices', ['paid_timestamp'], sparse],
  ['invoices', ['type'], sparse],
  ['line_items', newest],
  ['line_items', ['invoice_id']],
  ['line_items', ['transaction_id'], sparse],
  ['line_items', ['entry_type']],
  ['line_items', ['type'], sparse],
  ['invoice_attachments', newest],
  ['invoice_attachments', ['invoice_id'], sparse],
  ['invoice_attachments', ['payment_link_id'], sparse],
  ['payment_links', newest],
  ['payment_links', ['processing_id', 'created_at'], sparse],
  ['payment_links', ['customer_id', 'created_at'], sparse],
  ['payment_links', ['invoice_id'], sparse],
  ['payment_links', ['status', 'created_at'], sparse],
  ['payment_links', ['status', 'expires_at'], sparse],
  ['payment_activations', newest],
  ['payment_activations', ['customer_id', 'created_at']],
  ['payment_activations', ['processing_id', 'created_at'], sparse],
  ['payment_activations', ['status', 'created_at'], sparse],
  ['payment_activations', ['status', 'expires_at'], sparse],
  ['receipts', newest],
  ['receipts', ['transaction_id']],
  ['readers', newest],
  ['readers', ['processing_id', 'created_at']],
  ['readers', ['serial_number'], sparse],
  ['processing_agreements', newest],
  ['stakeholders', newest],
  ['stakeholders', ['legal_entity_id']],
  ['webhooks', newest],
  ['webhooks', ['trigger', 'created_at']],
  ['webhooks', ['processing_id', 'created_at'], sparse],
  ['webhooks', ['status', 'created_at'], sparse],
  ['webhook_logs', newest],
  ['webhook_logs', ['webhook_id', 'created_at']],
  ['webhook_logs', ['trigger', 'created_at']],
  ['webhook_logs', ['http_status', 'created_at']],
  ['access_tokens', newest],
  ['access_tokens', ['processing_id', 'created_at'], sparse],
  ['invoices', ['billing_schedule_id', 'slot'], unique],
  ['invoices', ['collect_at', 'id'], sparse],
  ['billing_schedules', ['bills_at', 'id'], sparse],
  ['collections', ['invoice_id', 'attempt_date'], unique],
  ['collections', ['transaction_id'], sparse],
  ['deliveries', ['waiting', 'due_at'], sparse],
  ['postings', ['transaction_id']],
  ['idempotency_records', ['created_at']],
  ['batches', ['created_at', 'id']],
  ['batch_rows', ['batch_id', 'row', 'id']],
  ['admin_keys', newest],
  ['admin_keys', ['key_hash'], unique],
  ['admin_oauth_users', newest],
  ['admin_oauth_users', ['email']],
  ['admin_oauth_users', ['org_id']],
  ['admin_oauth_redirects', newest],
  ['admin_oauth_redirects', ['org_id']],
  ['admin_oauth_grants', newest],
  ['admin_oauth_grants', ['code_hash'], unique],
  ['admin_oauth_grants', ['org_id', 'created_at']],
  ['admin_oauth_grants', ['client_id', 'created_at']],
  ['admin_oauth_grants', ['user_id']],
  ['oauth_tokens', ['token_hash'], unique],
  ['oauth_tokens', ['grant_id', 'expires_at']],
]
