import type { Decision } from '../ledger/decision.js'

/** A transaction that is declined: stored, without fees, and nothing moves. Money: "Fees", "funding_status". */
export function decideDecline(statusCode: string): Decision {
  return {
    changes: {
      status: 'declined',
      status_code: statusCode,
      funding_status: null,
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      open_operation: null,
    },
    entries: [],
    postings: [],
    events: ['decline'],
  }
}
