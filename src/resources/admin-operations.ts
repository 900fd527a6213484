import type { AdminOperation } from '../schema/admin-operation.js'
import { beginBatch, finishBatch, listBatches, listBatchRows, runBatchRows } from './admin/batches.js'
import { backfillBilling, planBilling, runBilling } from './admin/billing.js'
import { advanceClock, readClock, setClock } from './admin/clock.js'
import { explainTransaction } from './admin/explain.js'
import { planFunding, runFunding } from './admin/funding.js'
import { readMaintenance, setMaintenance } from './admin/maintenance.js'
import { simulate } from './admin/simulate.js'
import { verify } from './admin/verify.js'
import { readEvents, replayEvents } from './admin/webhooks.js'

/** What only operators do beyond the resources, by name; each has its rule in `src/rules.ts`. */
export const adminOperations = {
  read_maintenance: readMaintenance,
  set_maintenance: setMaintenance,
  read_clock: readClock,
  set_clock: setClock,
  advance_clock: advanceClock,
  plan_funding: planFunding,
  run_funding: runFunding,
  plan_billing: planBilling,
  run_billing: runBilling,
  backfill_billing: backfillBilling,
  simulate,
  verify,
  explain_transaction: explainTransaction,
  read_events: readEvents,
  replay_events: replayEvents,
  list_batches: listBatches,
  begin_batch: beginBatch,
  finish_batch: finishBatch,
  list_batch_rows: listBatchRows,
  run_batch_rows: runBatchRows,
} as const satisfies Record<string, AdminOperation>
