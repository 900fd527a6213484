import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { failedChecks, shownChecks } from './shown-checks.js'

/** Functions of a command that send requests and print messages. */
interface Speaking {
  ask(request: ClientRequest): Promise<{ readonly body: JsonObject }>
  say(text: string): void
}

/**
 * Creates the endpoint for notifications at a gateway; returns whether it succeeded. Prints the result, or
 * the reason of a refusal.
 */
export async function connectEndpoint(path: string, name: string, { ask, say }: Speaking): Promise<boolean> {
  try {
    await ask({ method: 'POST', path: `${path}/endpoint` })
    say(`${name} notifies this installation, and the secret of its notifications is kept.`)
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(`No endpoint for notifications: ${reasonOf(error)}. Later: payctl gateways update ${name} --endpoint`)
    return false
  }
}

/** Tests a gateway, prints the result of each check, and returns the tested gateway. */
export async function sayChecks(path: string, { ask, say }: Speaking): Promise<JsonObject> {
  const { body } = await ask({ method: 'POST', path: `${path}/test` })
  for (const { mark, check, found } of shownChecks(body)) say(`${mark} ${check}: ${found}`)
  const failed = failedChecks(body)
  if (failed.length > 0) say(`Failed: ${failed.join(', ')}`)
  return body
}

/** The problems of attributes in a refusal as text, or else its message. */
export function reasonOf({ response, message }: Refusal): string {
  const { details } = response.body
  const said = isObject(details) ? Object.values(details).filter((each) => typeof each === 'string') : []
  return said.length > 0 ? said.join('; ') : message
}
