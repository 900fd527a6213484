import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parsedJson } from '../../../schema/json.js'
import { isAddressText } from '../input/address-text.js'
import { isObject } from '../input/body.js'
import { readSettings, settingsPath } from './settings-file.js'

/** The file in which `serve` leaves its address for the other commands of a home. */
const NAME = 'serve'

/** The address at which `serve` of a home listened last, or its public one; undefined if none was left. */
export function servedAddress(home: string): string | undefined {
  const content = parsedJson(readSettings(home, NAME) ?? '')
  const address = isObject(content) ? content.address : undefined
  return typeof address === 'string' && isAddressText(address) ? address : undefined
}

/** Leaves the address of `serve` in its home, readable by its owner only. Throws an error of the file system. */
export async function leaveServedAddress(home: string, address: string): Promise<void> {
  const { makeFolder, replaceFile } = await import('../../../engine/store/files/files.js')
  const path = settingsPath(home, NAME)
  makeFolder(dirname(path))
  // The library of other settings ends the process at a signal, and `serve` has more to do then.
  replaceFile(path, (draft) => writeFileSync(draft, JSON.stringify({ address }), { flag: 'wx', mode: 0o600 }))
}
