import { resources } from '../../../resources/resource-table.js'
import { type FlagDescription, flagsOf } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject, put, valueAt } from '../../terminal/input/body.js'
import { lacks } from '../../terminal/input/lacking.js'
import { type Fact, fill, formFacts, type WizardQuestions } from '../../terminal/wizard/wizard-questions.js'

/** Requirements of a processing account, by their names for people. */
export type Requirement = 'legal entity' | 'owner' | 'bank account'

export const REQUIREMENTS: readonly Requirement[] = ['legal entity', 'owner', 'bank account']

/**
 * Properties of a requirement: its resource, the line before its prompts, and its place in the account's
 * body.
 */
interface RequirementForm {
  readonly resource: Resource
  readonly intro: string
  /** The object in the body, created if missing. */
  objectIn(body: JsonObject): JsonObject
  /** The object in the body; undefined if there is none. */
  foundIn(body: JsonObject): Json | undefined
}

const FORMS: Readonly<Record<Requirement, RequirementForm>> = {
  'legal entity': {
    resource: resources.legal_entity,
    intro: 'The legal entity:',
    objectIn: (body) => objectAt(body, 'legal_entity'),
    foundIn: (body) => body.legal_entity,
  },
  owner: {
    resource: resources.legal_entity_owner,
    intro: 'The owner of the legal entity:',
    objectIn: (body) => firstOf(objectAt(body, 'legal_entity'), 'owners'),
    foundIn: (body) => firstIn(valueAt(body, ['legal_entity', 'owners'])),
  },
  'bank account': {
    resource: resources.payment_method,
    intro: 'The bank account that deposits go to:',
    objectIn(body) {
      const method = firstOf(body, 'payment_methods')
      method.type ??= 'bank_account'
      put(method, ['bank_account', 'account_class'], 'business')
      return method
    },
    foundIn: (body) => firstIn(body.payment_methods),
  },
}

/** Prompts for the missing attributes of a requirement, and puts them into the body. */
export async function askRequirement(
  questions: WizardQuestions,
  body: JsonObject,
  requirement: Requirement,
): Promise<void> {
  const { intro, objectIn } = FORMS[requirement]
  const object = objectIn(body)
  const one = { ...questions, descriptions: descriptionsOf(requirement) }
  const missing = one.descriptions.filter((description) => lacks(object, description))
  if (missing.length > 0) questions.say(`  ${intro}`)
  for (const { path } of missing) await fill(one, object, path.join('.'))
}

/** Whether a body lacks a part of a requirement. */
export function isLacking(body: JsonObject, requirement: Requirement): boolean {
  const object = FORMS[requirement].foundIn(body)
  return !isObject(object) || descriptionsOf(requirement).some((description) => lacks(object, description))
}

/** Facts of a requirement, with its answers; each can be changed. */
export function requirementFacts(
  questions: WizardQuestions,
  body: JsonObject,
  requirement: Requirement,
): readonly Fact[] {
  const object = FORMS[requirement].foundIn(body)
  const one = { ...questions, descriptions: descriptionsOf(requirement) }
  return isObject(object) ? formFacts(one, object, `${requirement}, `) : []
}

/**
 * Attributes that the wizard prompts for in a requirement. Attributes that name the object to which the requirement
 * belongs are left out.
 */
function descriptionsOf(requirement: Requirement): readonly FlagDescription[] {
  return flagsOf(registry, FORMS[requirement].resource, 'create').filter(
    ({ path: [first = ''] }) =>
      !['legal_entity', 'account_id', 'type'].includes(first) || requirement === 'legal entity',
  )
}

function firstIn(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined
}

/** The nested object of this name, created if missing. */
function objectAt(body: JsonObject, name: string): JsonObject {
  const known = body[name]
  const object: JsonObject = isObject(known) ? known : {}
  body[name] = object
  return object
}

/** The first object of the list of this name, created if missing. */
function firstOf(body: JsonObject, name: string): JsonObject {
  const known = firstIn(body[name])
  const object: JsonObject = isObject(known) ? known : {}
  if (!isObject(known)) body[name] = [object]
  return object
}
