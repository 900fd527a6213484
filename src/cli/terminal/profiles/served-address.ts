import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parsedJson } from '../../../schema/json.js'
import { isAddressText } from '../input/address-text.js'
import { isObject } from '../input/body.js'
import { readSettings, settingsPath } from './settings-file.js'

/** Name of the settings file in which `serve` stores its address for other commands of the home. */
const NAME = 'serve'

/**
 * The address that `serve` of a home stored last: its public address, or else the address at which it listened.
 * Undefined if none is stored.
 */
export function servedAddress(home: string): string | undefined {
  const content = parsedJson(readSettings(home, NAME) ?? '')
  const address = isObject(content) ? content.address : undefined
  return typeof address === 'string' && isAddressText(address) ? address : undefined
}

/**
 * Stores the address of `serve` in its home, in a file that only its owner can read. Throws an error of the
 * file system.
 */
export async function leaveServedAddress(home: string, address: string): Promise<void> {
  const { makeFolder, replaceFile } = await import('../../../engine/store/files/files.js')
  const path = settingsPath(home, NAME)
  makeFolder(dirname(path))
  // The library that writes other settings is not used: at a signal, it would end the process before `serve` has
  // stopped cleanly.
  replaceFile(path, (draft) => writeFileSync(draft, JSON.stringify({ address }), { flag: 'wx', mode: 0o600 }))
}
