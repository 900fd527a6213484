import { parsedJson } from '../../../schema/json.js'
import { isAddressText } from '../input/address-text.js'
import { isObject } from '../input/body.js'
import { changeSettings, readSettings } from './settings-file.js'

/** The file in which `serve` leaves its address for the other commands of a home. */
const NAME = 'serve'

/** The address at which `serve` of a home listened last, or its public one; undefined if none was left. */
export function servedAddress(home: string): string | undefined {
  const content = parsedJson(readSettings(home, NAME) ?? '')
  const address = isObject(content) ? content.address : undefined
  return typeof address === 'string' && isAddressText(address) ? address : undefined
}

/** Leaves the address of `serve` in its home. Throws a `UsageError` where the file cannot be written. */
export async function leaveServedAddress(home: string, address: string): Promise<void> {
  await changeSettings(home, NAME, () => ({ address }))
}
