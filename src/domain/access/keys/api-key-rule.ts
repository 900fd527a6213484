import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import type { Registry } from '../../../schema/registry.js'
import type { RowOf } from '../../../schema/types.js'
import { earlier, endOfRotated, isAlive } from './lifetime.js'
import { permissionsOfMaker, refuseExceeding } from './maker.js'
import { operatorOfToken, refuseUnlessOwner } from './operator-token.js'
import { orgOfNewKey } from './own-org.js'
import { permissionColumns, permissionsOf } from './permissions.js'
import { requestedPermissions } from './requested-permissions.js'
import { hintOf, makeKey, PURPOSE } from './secret.js'

type KeyRow = RowOf<typeof resources.api_key>

/**
 * Rule of secret keys. They are made with 256 random bits, stored as a keyed hash, and shown once. Deleting a key
 * revokes it: it is refused at once, and stays listed as a record of past access. `rotate` makes a key with the same
 * permissions and ends the old one, at once or after an overlap.
 */
export function apiKeyRule(random: Random, registry: Registry): Rule<typeof resources.api_key> {
  const secrets = new WeakMap<KeyRow, string>()

  async function insertKey(work: Work, columns: Partial<KeyRow>): Promise<KeyRow> {
    const secretKey = makeKey(work.environment, 'secret', random)
    const row: KeyRow = {
      ...work.blank(resources.api_key),
      ...columns,
      status: 'active',
      hint: hintOf(secretKey),
      key_hash: work.vault.hash(secretKey, PURPOSE),
    }
    await work.insert(resources.api_key, row)
    secrets.set(row, secretKey)
    return row
  }

  async function rotate(work: Work, row: KeyRow, until: string): Promise<KeyRow> {
    if (!isAlive(row, work.realNow)) throw invalidAttributes({ status: 'Only an active key can be rotated' })
    refuseExceeding(await permissionsOfMaker(work), permissionsOf(row))
    if (row.operator_id !== null) refuseUnlessOwner(work.principal)
    const end = earlier(row.expires_at, until)
    await work.change(
      resources.api_key,
      row.id,
      end > work.realNow ? { expires_at: end } : { status: 'revoked' },
    )
    const { description, attrs, org_id, manage, processing_ids, grants, operator_id, expires_at } = row
    const same = { description, attrs, org_id, manage, processing_ids, grants, operator_id, expires_at }
    return await insertKey(work, { ...same, rotated_from_id: row.id })
  }

  return {
    async create(work, input) {
      const permissions = await requestedPermissions(work, input, registry)
      const attrs = input.attrs === undefined || input.attrs === null ? null : JSON.stringify(input.attrs)
      return await insertKey(work, {
        description: input.description ?? null,
        attrs,
        org_id: await orgOfNewKey(work, input.org_id),
        operator_id: await operatorOfToken(work, input),
        ...permissionColumns(permissions),
      })
    },
    async update(work, row, input) {
      if (input.expires_at !== undefined && input.expires_at !== row.expires_at) {
        if (row.operator_id !== null) refuseUnlessOwner(work.principal)
        refuseExceeding(await permissionsOfMaker(work), {
          ...permissionsOf(row),
          expiresAt: input.expires_at,
        })
      }
      return await work.updatePlainly(resources.api_key, row, input)
    },
    async delete(work, row) {
      if (row.status !== 'revoked') await work.change(resources.api_key, row.id, { status: 'revoked' })
    },
    actions: {
      rotate: {
        perform: (work, row, input) => rotate(work, row, endOfRotated(input, work.realMilliseconds)),
      },
    },
    shownOnce(row) {
      const secretKey = secrets.get(row)
      return secretKey === undefined ? undefined : { secret_key: secretKey }
    },
  }
}
