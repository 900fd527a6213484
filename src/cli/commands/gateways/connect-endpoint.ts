import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { failedChecks, shownChecks } from './shown-checks.js'

/** The part of a command that sends requests and speaks to people. */
interface Speaking {
  ask(request: ClientRequest): Promise<{ readonly body: JsonObject }>
  say(text: string): void
}

/** Creates the endpoint for notifications of a gateway. Says what is missing if the gateway cannot be notified yet. */
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

/** Tests a gateway, and says what will work with it and what will not. */
export async function sayChecks(path: string, { ask, say }: Speaking): Promise<JsonObject> {
  const { body } = await ask({ method: 'POST', path: `${path}/test` })
  for (const { mark, check, found } of shownChecks(body)) say(`${mark} ${check}: ${found}`)
  const failed = failedChecks(body)
  if (failed.length > 0) say(`Failed: ${failed.join(', ')}`)
  return body
}

/** The reason of a refusal, with what is wrong with each attribute. */
export function reasonOf({ response, message }: Refusal): string {
  const { details } = response.body
  const said = isObject(details) ? Object.values(details).filter((each) => typeof each === 'string') : []
  return said.length > 0 ? said.join('; ') : message
}
