import { type Core, createCore } from '../../../../src/engine/core/core.js'
import { addressesOf } from '../../../../src/engine/core/read/addresses.js'
import { AnswerClock } from '../../../../src/engine/core/write/answer-clock.js'
import type { Store } from '../../../../src/engine/store/database/store.js'
import {
  type Constraints,
  createTable,
} from '../../../../src/engine/store/migrations/builder/table-builder.js'
import type { Vault } from '../../../../src/engine/store/vault/vault.js'
import { Model } from '../../../../src/model/model.js'
import { stopwatch } from '../../../../src/platform/clock.js'
import { timeOrderedIds } from '../../../../src/platform/ids.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { tableColumnsOf } from '../../../../src/schema/columns.js'
import { millisecondsOf } from '../../../../src/schema/datetime.js'
import { registryOf } from '../../../../src/schema/registry.js'
import type { Databases } from '../../../support/databases.js'
import { NOW } from './reference.js'
import { thing } from './thing.js'

/** Opens a core with things as its only resource. Unexpected errors fail the suite at its end. */
export async function openThings(open: Databases): Promise<Core> {
  const { store, vault } = await open()
  await makeTable(store)
  return coreOfThings(open, store, vault)
}

/** Makes the table of things. */
export async function makeTable(store: Store, constraints?: Constraints): Promise<void> {
  const columns = tableColumnsOf(thing).map(({ name, type }) => [name, type])
  await store.write((tx) => createTable(tx, thing.plural, Object.fromEntries(columns), constraints))
}

/** A core with things as its only resource, over a store that has their table. */
export function coreOfThings(
  open: Databases,
  store: Store,
  vault: Vault,
  report?: (error: unknown) => void,
): Core {
  const clock = { now: () => millisecondsOf(NOW) }
  const reported: unknown[] = []
  open.atEnd(async () => {
    if (reported.length > 0) throw new AggregateError(reported, `Unexpected errors: ${reported.join(', ')}`)
  })
  return createCore({
    model: new Model(registryOf({ thing })),
    store,
    vault,
    clock,
    environment: 'test',
    answerClock: new AnswerClock(clock, stopwatch),
    addresses: addressesOf(() => 'https://pay.example.com', 'test', vault),
    businessClock: { at: async () => clock.now() },
    ids: timeOrderedIds(clock, systemRandom),
    rules: async () => ({}),
    adminRules: async () => ({}),
    countNumbers: async () => async () => undefined,
    operatorJudging: async () => ({ batchKinds: new Map(), admit: async () => undefined }),
    report: report ?? ((error) => reported.push(error)),
  })
}
