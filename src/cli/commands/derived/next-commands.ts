import type { JsonObject } from '../../../schema/json.js'

/** The commands that decide an open exception; undefined for one that is decided, or waits for its gateway. */
export function decidingCommand({ id, status, resolutions, pending_operation: pending }: JsonObject) {
  if (status !== 'open' || (typeof pending === 'string' && pending !== '')) return undefined
  const fitting = Array.isArray(resolutions) ? resolutions.map(String) : []
  const link = fitting.includes('link') ? '\nlink needs --transaction-id txn_…' : ''
  return `Decide it: payctl exceptions resolve ${String(id)} --as ${fitting.join('|')} --reason "…"${link}`
}

/** The commands that answer a dispute; undefined for one that takes no answer. */
export function answeringCommands({
  id,
  stage,
  answered_at: answered,
  pending_operation: pending,
}: JsonObject) {
  const isOpen = stage === 'inquiry' || stage === 'needs_response'
  if (!isOpen || typeof answered === 'string' || typeof pending === 'string') return undefined
  return `Answer it: payctl disputes contest ${String(id)} --evidence FILE, or payctl disputes accept ${String(id)}`
}
