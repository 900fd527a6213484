import type { MailServerRow } from '../../engine/store/database/tables.js'
import { sealedPlace } from '../../engine/store/vault/sealed-columns.js'
import { SealBroken, type Vault } from '../../engine/store/vault/vault.js'

/** Columns of a mail server that its password is bound to. */
export type PasswordOwner = Pick<MailServerRow, 'id' | 'host' | 'port' | 'security' | 'username'>

const placeOf = (owner: PasswordOwner) => sealedPlace('admin_mail_servers', 'sealed_password', owner)

export function sealPassword(vault: Vault, owner: PasswordOwner, password: string): string {
  return vault.seal(password, placeOf(owner))
}

/**
 * The password of a mail server; null if it has none. Undefined when it does not open with its server and username,
 * because the row was changed outside payctl.
 */
export function openPassword(
  vault: Vault,
  row: PasswordOwner & Pick<MailServerRow, 'sealed_password'>,
): string | null | undefined {
  if (row.sealed_password === null) return null
  try {
    return vault.open(row.sealed_password, placeOf(row))
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
