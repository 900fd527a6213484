import type { AdminOperation } from '../../schema/admin-operation.js'
import { beginBatch, finishBatch, listBatches, listBatchRows, runBatchRows } from './batches.js'
import { backfillBilling, planBilling, runBilling } from './billing.js'
import { advanceClock, readClock, setClock } from './clock.js'
import { explainTransaction } from './explain.js'
import { planFunding, runFunding } from './funding.js'
import { readMaintenance, setMaintenance } from './maintenance.js'
import { simulate } from './simulate.js'
import { verify } from './verify.js'
import { readEvents, replayEvents } from './webhooks.js'

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
