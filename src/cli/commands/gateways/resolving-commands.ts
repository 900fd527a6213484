import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { Choices } from '../../terminal/global-flags.js'

const { prefix } = resources.transaction

/** Commands that resolve an open exception, one for each resolution that fits; none while its gateway is asked. */
export function resolvingCommands(exception: JsonObject, { env }: Choices): readonly string[] {
  const { id, status, resolutions, pending_operation: pending } = exception
  if (status !== 'open' || pending !== null || !Array.isArray(resolutions)) return []
  return resolutions.map((resolution) => {
    const subject = resolution === 'link' ? ` --transaction-id ${prefix}…` : ''
    return `payctl exceptions resolve ${String(id)} --env ${env} --as ${String(resolution)}${subject} --reason "…"`
  })
}
