import type { Command } from '@oclif/core/command'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { operationCommand } from './derived/operation.js'

const {
  add_dispute: addDispute,
  catch_up: catchUp,
  backfill_billing: backfillBilling,
  plan_billing: planBilling,
  plan_funding: planFunding,
  pull_settlements: pullSettlements,
  purge_numbers: purgeNumbers,
  read_clock: readClock,
  read_maintenance: readMaintenance,
  run_billing: runBilling,
  set_maintenance: setMaintenance,
} = adminOperations

/** Commands for admin operations, by id; created on demand. */
export const adminCommands: Readonly<Record<string, () => Command.Class>> = {
  'billing:run': () => operationCommand(runBilling, 'billing run'),
  'billing:plan': () => operationCommand(planBilling, 'billing plan'),
  'billing:backfill': () => operationCommand(backfillBilling, 'billing backfill'),
  'funding:plan': () => operationCommand(planFunding, 'funding plan'),
  'disputes:add': () => operationCommand(addDispute, 'disputes add'),
  'gateways:catch-up': () => operationCommand(catchUp, 'gateways catch-up'),
  'settlements:pull': () => operationCommand(pullSettlements, 'settlements pull'),
  'vault:purge': () => operationCommand(purgeNumbers, 'vault purge'),
  'clock:show': () => operationCommand(readClock, 'clock show'),
  'maintenance:on': () =>
    operationCommand(setMaintenance, 'maintenance on', {
      preset: { enabled: true },
      summary: 'refuse requests of programs until it is switched off',
    }),
  'maintenance:off': () =>
    operationCommand(setMaintenance, 'maintenance off', {
      preset: { enabled: false, message: null },
      summary: 'accept requests of programs again',
    }),
  'maintenance:status': () => operationCommand(readMaintenance, 'maintenance status'),
}
