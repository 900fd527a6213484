import type { Principal } from '../../engine/core/request/principal.js'
import { resources } from '../../resources/resource-table.js'
import { type InputFor, isTree } from '../../schema/types.js'
import { boundMethod, refuseBeyond } from './client-method.js'

type AccountInput = InputFor<typeof resources.account>

/** Attributes of a processing account that a page may send. */
const ACCOUNT: ReadonlySet<string> = new Set([
  'object',
  'type',
  'name',
  'description',
  'email',
  'phone_number',
  'processing',
  'legal_entity',
  'payment_methods',
])
const PROCESSING: ReadonlySet<string> = new Set(['industry'])

const ENTITY = without(resources.legal_entity.fields, ['payment_method_id', 'stakeholders'])
const OWNER = without(resources.legal_entity_owner.fields, ['legal_entity_id', 'legal_entity'])

/** Payment methods of the account are bank accounts, because they receive its deposits. */
const METHOD = { type: 'bank_account' }

/**
 * Checks the input of an account. A client key may only make a new processing account, with a new legal entity or the
 * one in its intent. Throws `Forbidden` for attributes that only operators set.
 */
export function clientAccount({ kind, grants, intent = {} }: Principal, input: AccountInput): AccountInput {
  if (kind !== 'client' || grants?.processing_accounts === undefined) return input
  refuseBeyond(input, { free: ACCOUNT, intent, path: [] })
  const { processing, legal_entity: entity, payment_methods: methods } = input
  if (processing) refuseBeyond(processing, { free: PROCESSING, intent: {}, path: ['processing'] })
  if (entity) refuseEntity(entity)
  const bound = methods?.map((method, index) =>
    boundMethod(method, METHOD, ['payment_methods', String(index)]),
  )
  return { ...input, ...intent, ...(bound && { payment_methods: bound }) }
}

function refuseEntity(entity: NonNullable<AccountInput['legal_entity']>): void {
  const path = ['legal_entity']
  refuseBeyond(entity, { free: ENTITY, intent: {}, path })
  const owners: readonly unknown[] = Array.isArray(entity.owners) ? entity.owners : []
  for (const [index, owner] of owners.entries())
    if (isTree(owner))
      refuseBeyond(owner, { free: OWNER, intent: {}, path: [...path, 'owners', String(index)] })
}

function without(fields: Readonly<Record<string, unknown>>, names: readonly string[]): ReadonlySet<string> {
  return new Set(Object.keys(fields).filter((name) => !names.includes(name)))
}
