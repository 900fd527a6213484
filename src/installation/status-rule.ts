import type { AdminRules } from '../engine/core/write/rule.js'
import { address as addressField } from '../schema/field.js'
import { checkDay } from './checks/attention-checks.js'
import { checkMerchants } from './checks/merchant-checks.js'
import { checkPublicAddress } from './checks/notification-checks.js'
import { checkDestinations } from './checks/seal-checks.js'
import { checkWork } from './checks/work-checks.js'

/**
 * Rule of `read_status`: failed checks and warnings of `payctl doctor` about an environment, and findings
 * for an operator's daily review.
 */
export const statusRules: Pick<AdminRules, 'read_status'> = {
  read_status: {
    async perform(work) {
      const { tx, environment, addresses, now, milliseconds, realMilliseconds } = work
      const address = addresses.show(PUBLIC, '', now)
      const checks = [
        ...(await checkDestinations(tx, environment, (...used) => work.sealProblem(...used))),
        ...(await checkWork(tx, environment, realMilliseconds)),
        ...(await checkPublicAddress(tx, environment, address ?? undefined)),
      ]
      const troubles = checks.flatMap(({ check, state, found, fix }) =>
        state === 'ok' || fix === null ? [] : [{ check, state, found, command: fix }],
      )
      const day = await checkDay(tx, { environment, now: milliseconds })
      const merchants = await checkMerchants(tx, {
        environment,
        realNow: realMilliseconds,
      })
      const lines = [...troubles, ...day, ...merchants].toSorted((a, b) => RANK[a.state] - RANK[b.state])
      return { now, attention: lines.filter(({ state }) => state !== 'note').length, lines }
    },
  },
}

/** Field for an address that needs no key; its value shows the public address. */
const PUBLIC = addressField({ page: 'gateways', open: true, shows: 'url', doc: 'public' })

const RANK = { failed: 0, warning: 1, note: 2 } as const
