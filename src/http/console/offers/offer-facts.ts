import type { FlagDescription } from '../../../schema/flag-description.js'
import { type Json, type JsonObject, valueAt } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import type { ShownFact } from '../elements/facts.js'
import { fieldLabel, type ValueContext, valueHtml, valueIn } from '../elements/value.js'
import { filteredField } from '../lists/list-filters.js'
import { attributeLabel, type KnownObjects } from './declared-fields.js'
import type { Offer, ResolvedOffer } from './offer.js'

/** An offer, and the object that it concerns as it was just read. */
export interface OfferContext {
  readonly offer: Offer
  readonly resolved: ResolvedOffer
  /** Empty if the offer concerns no object. */
  readonly object: JsonObject
  /** Attributes that the offer itself sets. */
  readonly set: JsonObject
  readonly known: KnownObjects
  readonly values: ValueContext
}

/** Facts of the object that a write concerns; none if the form shows them already. */
export function targetFacts(context: OfferContext): readonly ShownFact[] {
  const { target, mode, flags } = context.resolved
  if (!target || (mode === 'update' && flags.length > 0)) return []
  return columnFacts(context, target.resource, context.object)
}

/** The effect of a write, by the answer to its dry run. */
export function effectFacts(context: OfferContext, answer: JsonObject): readonly ShownFact[] {
  const { offer, resolved } = context
  const facts = resolved.mode === 'update' ? changes(context, answer) : valueFacts(context, answer)
  const note: readonly ShownFact[] = offer.note === undefined ? [] : [['Effect', offer.note]]
  const all = [...facts, ...note].filter(([, value]) => value !== undefined)
  return all.length > 0 ? all : [['Effect', sentence(resolved.summary)]]
}

/**
 * Facts from an answer: attributes on the form, another object that an action created, or the output of an operation.
 */
export function valueFacts(context: OfferContext, answer: JsonObject): readonly ShownFact[] {
  const { offer, resolved } = context
  const { answers, target, flags, output } = resolved
  switch (offer.does.kind) {
    case 'operation':
      return Object.entries(output).flatMap(([name, field]): ShownFact[] =>
        name === offer.once || field.kind === 'rows'
          ? []
          : [[fieldLabel(name), valueHtml(answer[name], field, context.values)]],
      )
    case 'action':
      return answers && answers !== target?.resource
        ? columnFacts(context, answers, { ...answer, id: null, created_at: null })
        : []
    case 'create':
    case 'update':
    case 'delete':
      return flags.map((flag) => [attributeLabel(flag), shown(context, flag, valueAt(answer, flag.path))])
  }
}

/** The changes of an update, before and after. */
function changes(context: OfferContext, answer: JsonObject): readonly ShownFact[] {
  const { object, resolved, set } = context
  const { flags, target } = resolved
  const attributes: readonly Pick<FlagDescription, 'path' | 'form' | 'field'>[] = [
    ...flags,
    ...Object.keys(set).map((name) => ({ path: [name], ...fieldNamed(target?.resource, name) })),
  ]
  return attributes.flatMap((attribute): ShownFact[] => {
    const before = valueAt(object, attribute.path)
    const after = valueAt(answer, attribute.path)
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const [from, to] = [before, after].map((value) => shown(context, attribute, value) ?? 'not set')
    return [[attributeLabel(attribute), html`${from} → ${to}`]]
  })
}

type Named = ResolvedOffer['answers']

function fieldNamed(resource: Named, name: string): Pick<FlagDescription, 'field'> {
  const field = resource && filteredField(resource, name)
  return field ? { field } : {}
}

function columnFacts(
  { values }: OfferContext,
  resource: NonNullable<Named>,
  object: JsonObject,
): readonly ShownFact[] {
  return resource.columns.map((name) => [
    fieldLabel(name),
    valueHtml(valueIn(object, name), filteredField(resource, name), values),
  ])
}

/** Shows a value; known ids are shown as names. */
function shown(
  { known, values }: OfferContext,
  { field }: Pick<FlagDescription, 'field'>,
  value: Json | undefined,
): Html | undefined {
  const objects = [...known.values()].flat()
  const ids = Array.isArray(value) ? value : [value]
  const names = objects.filter((object) => ids.includes(object.value)).map(({ label }) => label)
  return names.length > 0 ? html`<bdi>${names.join(', ')}</bdi>` : valueHtml(value, field, values)
}

/** A summary of a declaration as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
