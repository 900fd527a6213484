import { sql } from 'kysely'
import type { Migration } from '../migration.js'
import { createIndex, createTable, type IndexOptions } from '../table.js'
import { accounts } from './accounts.js'
import { adminKeys } from './admin-keys.js'
import { events, idempotencyRecords, postings } from './journal.js'
import { legalEntities } from './legal-entities.js'
import { legalEntityOwners } from './legal-entity-owners.js'
import { paymentMethods } from './payment-methods.js'
import { processingSettings } from './processing-settings.js'
import { transactionLedgers } from './transaction-ledgers.js'
import { transactions } from './transactions.js'

/** Accounts, payment methods, transactions with their ledger and journal, keys, the outbox, idempotency. */
export const first: Migration = async (tx) => {
  await createTable(tx, 'accounts', accounts)
  await createTable(tx, 'processing_settings', processingSettings)
  await createTable(tx, 'legal_entities', legalEntities)
  await createTable(tx, 'legal_entity_owners', legalEntityOwners)
  await createTable(tx, 'payment_methods', paymentMethods)
  await createTable(tx, 'transactions', transactions, {
    checks: {
      amount_above_zero: sql`amount > 0`,
      refundable: sql`coalesce(refunded, 0) >= 0 and coalesce(charged_back, 0) >= 0
        and coalesce(refunded, 0) + coalesce(charged_back, 0) <= amount`,
    },
  })
  await createTable(tx, 'transaction_ledgers', transactionLedgers, {
    checks: {
      amount_not_zero: sql`amount <> 0`,
      of_two: sql`transaction_id <> assoc_transaction_id`,
    },
    references: { transaction_id: 'transactions', assoc_transaction_id: 'transactions' },
  })
  await createTable(tx, 'postings', postings, {
    checks: { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` },
    references: { transaction_id: 'transactions' },
    clustered: true,
  })
  await createTable(tx, 'events', events, { clustered: true })
  await createTable(tx, 'idempotency_records', idempotencyRecords)
  await createTable(tx, 'admin_keys', adminKeys)
  for (const [table, columns, options] of indexes) await createIndex(tx, table, columns, options)
}

/** Lists are newest first; a filter by a few values is served in that order by an index that goes on with the time. */
const newest = ['created_at', 'id'] as const
/** Rows with nothing in the column cost no entry; whoever asks for a value still finds it. */
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
  ['transactions', newest],
  ['transactions', ['type', 'created_at']],
  ['transactions', ['status', 'created_at']],
  ['transactions', ['funding_status', 'created_at']],
  ['transactions', ['processing_id', 'created_at']],
  ['transactions', ['customer_id', 'created_at'], sparse],
  ['transactions', ['payment_method_id']],
  ['transactions', ['order_number'], sparse],
  ['transactions', ['amount']],
  ['transactions', ['open_operation'], sparse],
  ['transactions', ['ref_number'], unique],
  ['transaction_ledgers', newest],
  ['transaction_ledgers', ['transaction_id']],
  ['transaction_ledgers', ['assoc_transaction_id']],
  ['postings', ['transaction_id']],
  ['idempotency_records', ['created_at']],
  ['admin_keys', newest],
  ['admin_keys', ['key_hash'], unique],
]
