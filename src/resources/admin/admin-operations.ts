import type { AdminOperation } from '../../schema/admin-operation.js'
import { reportOperations } from '../reports/report-table.js'
import {
  beginBatchOperation,
  countKnownRowsOperation,
  finishBatchOperation,
  listBatchesOperation,
  listBatchRowsOperation,
  runBatchRowsOperation,
} from './batches.js'
import { backfillBillingOperation, planBillingOperation, runBillingOperation } from './billing.js'
import { advanceClockOperation, readClockOperation, setClockOperation } from './clock-admin.js'
import { createConsoleEntryOperation } from './console-entry.js'
import { readCountsOperation } from './counts-operation.js'
import { addDisputeOperation } from './disputes.js'
import { explainTransactionOperation } from './explain.js'
import { planFundingOperation, runFundingOperation } from './funding.js'
import {
  catchUpOperation,
  pullSettlementsOperation,
  readGatewayRoutesOperation,
  setGatewayRoutesOperation,
} from './gateway-operations.js'
import { readMaintenanceOperation, setMaintenanceOperation } from './maintenance-operations.js'
import { readOperatorSettingsOperation, setOperatorSettingsOperation } from './operator-settings.js'
import { simulateOperation } from './simulate.js'
import { readStatusOperation } from './status-operation.js'
import { purgeNumbersOperation } from './vault-operation.js'
import { verifyOperation } from './verify-operation.js'
import { readEventsOperation, replayEventsOperation } from './webhooks.js'

/** Operations that only operators may run, by name; each has its rule in `src/domain/rules.ts`. */
export const adminOperations = {
  read_maintenance: readMaintenanceOperation,
  set_maintenance: setMaintenanceOperation,
  read_operator_settings: readOperatorSettingsOperation,
  set_operator_settings: setOperatorSettingsOperation,
  read_status: readStatusOperation,
  read_counts: readCountsOperation,
  read_clock: readClockOperation,
  set_clock: setClockOperation,
  advance_clock: advanceClockOperation,
  plan_funding: planFundingOperation,
  run_funding: runFundingOperation,
  plan_billing: planBillingOperation,
  run_billing: runBillingOperation,
  backfill_billing: backfillBillingOperation,
  read_gateway_routes: readGatewayRoutesOperation,
  set_gateway_routes: setGatewayRoutesOperation,
  catch_up: catchUpOperation,
  pull_settlements: pullSettlementsOperation,
  purge_numbers: purgeNumbersOperation,
  add_dispute: addDisputeOperation,
  simulate: simulateOperation,
  verify: verifyOperation,
  explain_transaction: explainTransactionOperation,
  read_events: readEventsOperation,
  replay_events: replayEventsOperation,
  list_batches: listBatchesOperation,
  begin_batch: beginBatchOperation,
  finish_batch: finishBatchOperation,
  list_batch_rows: listBatchRowsOperation,
  run_batch_rows: runBatchRowsOperation,
  count_known_rows: countKnownRowsOperation,
  create_console_entry: createConsoleEntryOperation,
  ...reportOperations,
} as const satisfies Record<string, AdminOperation>
