import type { ResourceModel } from '../../../model/resource-model.js'
import type { Field, Fields } from '../../../schema/field.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import type { Html } from '../../html/html.js'
import { factsHtml, type ShownFact } from '../elements/facts.js'
import { fieldLabel, type ValueContext, valueHtml } from '../elements/value.js'

/** The attributes of an object as facts, in the order of its declaration. A group is shown as facts within a fact. */
export function objectFacts(
  resource: ResourceModel,
  object: JsonObject,
  context: ValueContext,
): readonly ShownFact[] {
  const shown = Object.entries(resource.attributes).filter(([name]) => name !== 'id' && name !== 'object')
  return factsOf(Object.fromEntries(shown), object, context)
}

function factsOf(fields: Fields, object: JsonObject, context: ValueContext): readonly ShownFact[] {
  return Object.entries(fields).map(([name, field]): ShownFact => {
    const given = isRepeated(fields, name, object) ? undefined : object[name]
    return [fieldLabel(name), factHtml(given, field, context)]
  })
}

/** Whether an attribute is only the id of an object that is shown too: `customer` says more than `customer_id`. */
function isRepeated(fields: Fields, name: string, object: JsonObject): boolean {
  const related = name.replace(/_id$/, '')
  return related !== name && fields[related]?.kind === 'one' && isObject(object[related])
}

function factHtml(value: Json | undefined, field: Field, context: ValueContext): Html | undefined {
  if (field.kind === 'group')
    return isObject(value) && hasValue(value) ? factsHtml(factsOf(field.fields, value, context)) : undefined
  if (field.kind === 'many' || (Array.isArray(value) && value.length === 0)) return undefined
  if (isObject(value) && Object.keys(value).length === 0) return undefined
  return valueHtml(value, field, context)
}

function hasValue(value: Json | undefined): boolean {
  return isObject(value) ? Object.values(value).some(hasValue) : value !== null && value !== undefined
}
