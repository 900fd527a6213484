import process from 'node:process'
import { boolean } from '@oclif/core/flags'
import type { Resource } from '../../../schema/resource.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { isLoopback } from '../../terminal/command/command.js'
import { type Choices, formatOf } from '../../terminal/command/global-flags.js'
import { lookOf } from '../../terminal/output/look.js'

/**
 * Width of the light border around the code, in modules: half of the standard, so that the code fits a small terminal.
 */
const BORDER = 2

/** Flag of commands that show an object with an address to be scanned. */
export const qrFlag = boolean({
  allowNo: true,
  summary: 'draw the QR code of the url; by default on a terminal, if other machines reach the url',
})

/** Whether objects of a resource have an address to be scanned as a QR code. */
export function isScanned(resource: Resource): boolean {
  return scannedName(resource) !== undefined
}

/**
 * Draws the QR code of an object's address: below a table, or on stderr if the output is for a program. Without `--qr`,
 * the code is drawn only on a terminal with enough room. An address that only this machine reaches is then not drawn.
 */
export async function drawScanned(
  resource: Resource,
  body: JsonObject,
  choices: Choices & GivenFlags,
): Promise<void> {
  const name = scannedName(resource)
  const address = name === undefined ? undefined : body[name]
  if (typeof address !== 'string' || choices.qr === false) return
  const isTable = formatOf(choices) === 'table'
  const screen = isTable ? process.stdout : process.stderr
  const { width = 0, colour } = lookOf(screen, process.env)
  const isRequested = choices.qr === true
  if (!isRequested && (!isTable || width === 0 || isLoopback(address))) return
  const [{ qrCode }, { qrText }] = await Promise.all([
    import('../../../platform/qr-code.js'),
    import('../../terminal/output/qr-text.js'),
  ])
  const code = qrCode(address, BORDER)
  if (isRequested || code.length <= width) screen.write(`\n${qrText(code, colour)}`)
}

/** Name of the attribute with the address to be scanned; undefined for a resource without one. */
function scannedName({ fields }: Resource): string | undefined {
  return Object.entries(fields).find(([, field]) => field.kind === 'address' && field.scanned)?.[0]
}
