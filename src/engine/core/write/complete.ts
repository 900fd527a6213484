import { StoreError } from '../../store/database/store-error.js'
import { systemOccasion } from '../activity/occasion.js'
import { type Principal, system } from '../request/principal.js'
import type { CoreDependencies } from './core-dependencies.js'
import { unitOfWork } from './execute.js'
import {
  type Continuation,
  type IdempotencyClaim,
  idempotencyStoreOf,
  lockContinuation,
  openContinuations,
} from './idempotency.js'
import type { AnyRules } from './work.js'
import { answerOf, isAnyOpen } from './written-object.js'

/**
 * Completes pending answers whose outcomes are now known; answers with open objects stay pending. Runs
 * after reconciliation. An answer that cannot be completed is reported and does not block the others.
 */
export async function completeAnswers(dependencies: CoreDependencies, rules: AnyRules): Promise<void> {
  const open = await dependencies.store.read((tx) => tx.run(openContinuations, {}))
  for (const { id, request_hash: requestHash, continuation } of open) {
    if (continuation === null) continue
    try {
      await complete(dependencies, rules, { id, requestHash }, continuation)
    } catch (error) {
      if (error instanceof StoreError) throw error
      dependencies.report(new Error(`The answer ${id} cannot be completed`, { cause: error }))
    }
  }
}

async function complete(
  dependencies: CoreDependencies,
  rules: AnyRules,
  claim: IdempotencyClaim,
  continuation: string,
): Promise<void> {
  const about: Continuation = JSON.parse(continuation)
  const resource = dependencies.model.get(about.resource)
  const rule = rules[about.resource]
  await dependencies.store.write(async (tx) => {
    // Another process may have completed the answer already, and its objects may have changed after that.
    if ((await lockContinuation(tx, claim.id)) !== continuation) return
    const { processingIds, isClient } = about
    const principal: Principal = { ...system, processingIds, kind: isClient ? 'client' : 'system' }
    const work = await unitOfWork({ dependencies, rules, principal, occasion: systemOccasion() }, tx)
    const rows = []
    for (const rowId of about.ids) rows.push(await work.latestRow(resource, rowId))
    if (isAnyOpen(rule, rows)) return
    const { shape } = resource.select(about.fields)
    await answerOf(
      work,
      {
        kind: 'rows',
        resource,
        rows,
        list: about.list,
        shape,
        fields: about.fields,
        isOutcome: !about.list,
      },
      idempotencyStoreOf(claim, dependencies),
    )
  })
}
