import type { Field } from '../../../../src/schema/field.js'
import type { Json } from '../../../../src/schema/json.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import type { TestCore } from '../../../support/core.js'
import { type Merchant, makeMerchant, reachable } from '../merchants.js'

/**
 * Changes all objects of a merchant that can be changed, adds another merchant, and deletes what can be
 * deleted. The payment method `lent` and its owner stay unchanged. Returns the number of accepted changes.
 */
export async function disturb(core: TestCore, merchant: Merchant, lent?: string): Promise<number> {
  let changes = 0
  const send = async (...request: Parameters<TestCore['send']>) => {
    if ((await core.send(...request)).status === 200) changes++
  }
  const objects = objectsOf(merchant).filter(([, id]) => id !== lent)
  for (const [resource, id] of objects)
    for (const [name, field] of Object.entries(attributesOf(resource)))
      for (const value of otherValues(field))
        await send('PUT', `/${resource.plural}/${id}`, { [name]: value })
  await makeMerchant(core)
  for (const [resource, id] of objects.toReversed())
    if (lent === undefined || id !== merchant.customer) await send('DELETE', `/${resource.plural}/${id}`)
  return changes
}

function objectsOf({ ids }: Merchant): [Resource, string][] {
  return reachable.flatMap((resource) =>
    (ids.get(resource.plural) ?? []).map((id): [Resource, string] => [resource, id]),
  )
}

function otherValues(field: Field): Json[] {
  if (field.readonly !== undefined) return []
  switch (field.kind) {
    case 'text':
      return ['zq elsewhere']
    case 'email':
      return ['zq@elsewhere.example']
    case 'phone':
      return ['212 555 0199']
    case 'money':
    case 'number':
    case 'integer':
      return [7]
    case 'date':
      return ['2029-12-31']
    case 'one_of':
      return [...field.values]
    case 'json':
      return [{ zq: true }]
    default:
      return []
  }
}
