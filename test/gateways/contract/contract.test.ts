import { expect } from 'chai'
import { UNKNOWN_AFTER } from '../../../src/installation/checks/unknown-outcomes.js'
import { type Databases, onDatabases, onSqlite } from '../../support/databases.js'
import { authenticating } from './authenticating.js'
import { ContractCase } from './contract-case.js'
import { declining } from './declining.js'
import { disputing } from './disputing.js'
import { goingLive } from './going-live.js'
import { openNay, openRemoteSimulator } from './in-process.js'
import { HOLDERS, type HolderName, runOf } from './merchant-keys.js'
import type { RailUnderTest } from './opened-rail.js'
import { storing } from './storing.js'
import { taking, takingOverTheWire } from './taking.js'
import { telling } from './telling.js'
import { trouble, troubleOverTheWire } from './trouble.js'
import { RAILS, wireServers } from './wire-servers.js'

type Half = (opened: () => ContractCase) => void

const IN_PROCESS: readonly Half[] = [declining, taking, trouble, storing]
const OVER_THE_WIRE: readonly Half[] = [
  ...IN_PROCESS,
  takingOverTheWire,
  troubleOverTheWire,
  telling,
  authenticating,
  goingLive,
  disputing,
]

const TESTED: readonly (RailUnderTest & { readonly halves: readonly Half[] })[] = [
  { name: 'the remote simulator', inProcess: openRemoteSimulator, halves: IN_PROCESS },
  { name: 'a rail that only declines', inProcess: openNay, halves: [declining] },
  ...RAILS.map((name) => ({ name, open: wireServers[name], halves: OVER_THE_WIRE })),
]

/**
 * Chooses the databases of a rail’s tests. Rails of other companies run on SQLite only, because their wire formats do
 * not depend on the database. Other rails run on both databases. To the database, a client key is a secret key with
 * fewer rights, so SQLite is enough for it.
 */
function onItsDatabases(rail: RailUnderTest, holder: HolderName, define: (open: Databases) => void) {
  const isOfOthers = rail.name === 'stripe' || rail.name === 'authorizenet'
  if (isOfOthers || holder === 'a client key') onSqlite(define)
  else onDatabases(define)
}

for (const rail of TESTED)
  for (const holder of HOLDERS)
    describe(`the rail ${rail.name} with ${holder}${runOf(holder)}`, () => {
      onItsDatabases(rail, holder, (open) => {
        let opened: ContractCase
        before(async () => {
          opened = await ContractCase.open(open, rail, holder)
        })
        afterEach(() => opened.expectEqualBooks())
        for (const half of rail.halves) half(() => opened)

        it('has a horizon that ends before `doctor` reports an unknown outcome', () => {
          expect(opened.gateway.capabilities.horizon).to.be.below(UNKNOWN_AFTER)
        })
      })
    })
