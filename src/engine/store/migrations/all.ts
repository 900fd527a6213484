import { firstMigration } from './0001-first/first-migration.js'
import { vaultKeysMigration } from './0002-vault-keys/vault-keys-migration.js'
import { oneOfEachMigration } from './0003-one-of-each/one-of-each-migration.js'
import { eventOrderMigration } from './0004-event-order/event-order-migration.js'
import { sealedBooksMigration } from './0005-sealed-books/sealed-books-migration.js'
import { gatewaysMigration } from './0006-gateways/gateways-migration.js'
import { notificationsMigration } from './0007-notifications/notifications-migration.js'
import { moreSealsMigration } from './0012-more-seals/more-seals-migration.js'
import { sealedBatchesMigration } from './0013-sealed-batches/sealed-batches-migration.js'
import { sealedEventsMigration } from './0015-sealed-events/sealed-events-migration.js'
import { resolvedExceptionsMigration } from './0016-resolved-exceptions/resolved-exceptions-migration.js'
import { gatewayOperationMigration } from './0017-gateway-operation/gateway-operation-migration.js'
import { payoutsMigration } from './0018-payouts/payouts-migration.js'
import { settlementsMigration } from './0019-settlements/settlements-migration.js'
import { currenciesMigration } from './0020-currencies/currencies-migration.js'
import { logosMigration } from './0021-logos/logos-migration.js'
import { tokenMerchantsMigration } from './0022-token-merchants/token-merchants-migration.js'
import { explainedLinesMigration } from './0023-explained-lines/explained-lines-migration.js'
import { batchKeysMigration } from './0024-batch-keys/batch-keys-migration.js'
import { packedAnswersMigration } from './0027-packed-answers/packed-answers-migration.js'
import { packedNamesMigration } from './0028-packed-names/packed-names-migration.js'
import { ownPostingsMigration } from './0029-own-postings/own-postings-migration.js'
import { storedOrderMigration } from './0030-stored-order/stored-order-migration.js'
import type { Migration, MigrationName } from './builder/migration.js'

export const migrations: Readonly<Record<MigrationName, Migration>> = {
  '0001_first': firstMigration,
  '0002_vault_keys': vaultKeysMigration,
  '0003_one_of_each': oneOfEachMigration,
  '0004_event_order': eventOrderMigration,
  '0005_sealed_books': sealedBooksMigration,
  '0006_gateways': gatewaysMigration,
  '0007_notifications': notificationsMigration,
  '0012_more_seals': moreSealsMigration,
  '0013_sealed_batches': sealedBatchesMigration,
  '0015_sealed_events': sealedEventsMigration,
  '0016_resolved_exceptions': resolvedExceptionsMigration,
  '0017_gateway_operation': gatewayOperationMigration,
  '0018_payouts': payoutsMigration,
  '0019_settlements': settlementsMigration,
  '0020_currencies': currenciesMigration,
  '0021_logos': logosMigration,
  '0022_token_merchants': tokenMerchantsMigration,
  '0023_explained_lines': explainedLinesMigration,
  '0024_batch_keys': batchKeysMigration,
  '0027_packed_answers': packedAnswersMigration,
  '0028_packed_names': packedNamesMigration,
  '0029_own_postings': ownPostingsMigration,
  '0030_stored_order': storedOrderMigration,
}
