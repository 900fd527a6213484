import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import type { Databases, Place } from '../../support/databases.js'
import { payctl, type Typed } from './payctl.js'

export const PASSPHRASE = 'correct horse battery staple'
export const CARD = '--card 4242424242424242 --expiry 12/39'

/** A home with a payment, its backup and its exported keys. */
export async function backedUp(open: Databases) {
  const place = await open.place()
  const other = await open.place()
  const folder = join(other.home, 'backup')
  const keys = join(other.home, 'keys')
  const run = async (where: Place, words: string, typed?: Typed) =>
    await payctl(where, words.split(' '), typed)
  const ok = async (where: Place, words: string, typed?: Typed) => {
    const { exitCode, stdout, stderr } = await run(where, `${words} --json`, typed)
    expect({ exitCode, stderr }, words).to.deep.equal({ exitCode: 0, stderr: '' })
    return objectOf(JSON.parse(stdout))
  }
  const variables = { PAYCTL_PASSPHRASE: PASSPHRASE }
  const payment = await ok(place, `transactions pay --amount 29.99 ${CARD}`)
  return { place, other, folder, keys, run, ok, variables, payment }
}

/** Error about a manifest that was forged without the key file. */
export const FORGED = /was not made with the key file of \S+, or was changed since/
