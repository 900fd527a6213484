import type { JsonObject } from '../../../schema/json.js'

/**
 * Commands for all resolutions of an open exception; undefined if it is resolved, or while an operation at
 * its gateway is pending.
 */
export function decidingCommand(exception: JsonObject, environment: string): string | undefined {
  const { id, status, resolutions, pending_operation: pending } = exception
  if (status !== 'open' || (typeof pending === 'string' && pending !== '')) return undefined
  const fitting = Array.isArray(resolutions) ? resolutions.map(String) : []
  const commands = fitting.map((resolution) => {
    const subject = resolution === 'link' ? ' --transaction-id txn_…' : ''
    return `payctl exceptions resolve ${String(id)} --env ${environment} --as ${resolution}${subject} --reason "…"`
  })
  return ['Decide it by one of:', ...commands].join('\n')
}

/** Commands that answer a dispute; undefined for a dispute that accepts no answer. */
export function answeringCommands(
  { id, stage, answered_at: answered, pending_operation: pending }: JsonObject,
  environment: string,
) {
  const isOpen = stage === 'inquiry' || stage === 'needs_response'
  if (!isOpen || typeof answered === 'string' || typeof pending === 'string') return undefined
  return `Answer it: payctl disputes contest ${String(id)} --env ${environment} --evidence FILE, or payctl disputes accept ${String(id)} --env ${environment}`
}
