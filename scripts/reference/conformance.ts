import type { Field, Fields } from '../../src/schema/field.js'
import type { Registry } from '../../src/schema/registry.js'
import { attributesOf } from '../../src/schema/resource.js'
import type { SpecField } from './spec-tables.js'

/** Kinds of declared fields that conform to a type, by the specification's name of the type. */
const KINDS: Readonly<Record<string, readonly Field['kind'][]>> = {
  string: ['text', 'one_of', 'derived', 'id', 'constant'],
  number: ['money', 'number', 'integer'],
  int: ['integer'],
  bool: ['flag'],
  id: ['ref', 'id'],
  email: ['email'],
  phone: ['phone'],
  numeric: ['digits', 'secret'],
  expiry: ['expiry'],
  postal_code: ['postal_code'],
  datetime: ['datetime'],
  date: ['date'],
  list: ['many', 'rows'],
  object: ['one', 'group'],
  json: ['json'],
}

/**
 * Reasons for deliberate differences between declarations and the specification, by `resource.attribute`. `*` stands
 * for the beginning of any name.
 */
export const DECIDED: Readonly<Record<string, string>> = {
  'account.transaction_limit': 'the operator, and keys with `manage`, set what the operator alone decides',
  'account.type': 'an account never becomes one of the other kind',
  'account.processing.status': 'the operator, and keys with `manage`, decide it',
  'processing_settings.*_cost': 'prices are set by the operator, and keys with `manage`',
  'processing_settings.*_rate': 'prices are set by the operator, and keys with `manage`',
  'processing_settings.monthly_processing_fee': 'prices are set by the operator, and keys with `manage`',
  'transaction.type': 'a transaction without a type is none',
  'payment_method.type': 'a card never becomes a bank account',
  'payment_method.bank_account.account_number': 'a bank account has all three (Limits, 6)',
  'payment_method.bank_account.account_type': 'a bank account has all three (Limits, 6)',
  'payment_method.bank_account.routing_number': 'a bank account has all three (Limits, 6)',
  'payment_method.billing_address.postal_code': 'postal codes of other countries have letters',
  'payment_method.card.card_code': 'used once, never stored, never shown',
  'payment_method.card.card_number': 'a card has a number (Limits, 6)',
  'billing_charge.billing_schedule_id': 'a charge stays with its schedule',
  'invoice.attachments': 'an invoice may have several',
  'invoice.status': 'it follows from what is due, what is paid and when',
  'invoice.billing_contact.email': 'an address, checked as one',
  'invoice.billing_contact.postal_code': 'a postal code, checked as one',
  'line_item.entry_type': 'a charge never becomes a payment',
  'line_item.total': 'money has cents',
  'line_item.transaction_id': 'a payment stays where it was allocated',
  'line_item.payment': '"may embed": shown on request',
  'legal_entity_owner.postal_code': 'postal codes of other countries have letters',
  'webhook.trigger': 'a notification needs both; `gateway` and `exception` are what operators hear of',
  'webhook.url': 'a notification needs both',
}

/** Reason for a deliberate difference; undefined if there is none. */
export function reasonFor(spec: SpecField): string | undefined {
  const name = keyOf(spec)
  const ending = name.slice(name.lastIndexOf('_'))
  return DECIDED[name] ?? DECIDED[`${spec.resource}.*${ending}`]
}

/** Key of an attribute, such as `payment_method.card.expiry`. */
export function keyOf({ resource, path }: SpecField): string {
  return [resource, ...path].join('.')
}

/** The declared attribute that a row of the specification describes; undefined if it is not declared. */
export function declaredField(registry: Registry, { resource, path }: SpecField): Field | undefined {
  let fields: Fields = attributesOf(registry.get(resource))
  for (const [index, name] of path.entries()) {
    const field = fields[name]
    if (index === path.length - 1) return field
    if (field?.kind === 'group' || field?.kind === 'rows') fields = field.fields
    else if (field?.kind === 'one') fields = attributesOf(registry.get(field.to))
    else return undefined
  }
  return undefined
}

/** Differences between a declared attribute and its row in the specification; empty if they agree. */
export function differences(registry: Registry, spec: SpecField): readonly string[] {
  const field = declaredField(registry, spec)
  if (!field) return ['not declared']
  const { type, flags, values } = spec
  const readonly = flags.find((flag) => flag.startsWith('readonly'))?.replace(/^readonly(: )?/, '')
  const declared = readonlyOf(field)
  const found = [
    KINDS[type]?.includes(field.kind) ? undefined : `${type} is ${field.kind}`,
    flags.includes('required') === (field.required === true) ? undefined : requiredText(field),
    readonly === declared ? undefined : `readonly: ${declared ?? 'no'}`,
    flags.includes('non-default') === (field.nonDefault === true || field.transient === true)
      ? undefined
      : 'default',
    values && !sameValues(values, valuesOf(field)) ? `values: ${valuesOf(field).join(', ')}` : undefined,
  ]
  return found.filter((one) => one !== undefined)
}

function requiredText({ required }: Field): string {
  return required ? 'required' : 'not required'
}

/**
 * Qualifier that says when an attribute is read-only, such as `update`; empty for always, undefined for
 * never.
 */
function readonlyOf({ readonly, kind }: Field): string | undefined {
  if (readonly === undefined) return kind === 'id' || kind === 'derived' || kind === 'alias' ? '' : undefined
  return readonly === true ? '' : readonly
}

function valuesOf(field: Field): readonly string[] {
  return field.kind === 'one_of' || field.kind === 'derived' ? field.values : []
}

function sameValues(one: readonly string[], other: readonly string[]): boolean {
  return one.every((value) => other.includes(value)) && other.every((value) => one.includes(value))
}

/** Name of an attribute in filters and in `fields`, such as `card[expiry]`. */
export function writtenName({ path: [first = '', ...more] }: SpecField): string {
  return first + more.map((name) => `[${name}]`).join('')
}
