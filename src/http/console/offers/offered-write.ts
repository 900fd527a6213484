import type { QueryPair } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import type { FormChoice } from '../../html/form.js'
import { type ConsoleAnswer, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { objectPath } from '../elements/object-path.js'
import { valueContextOf } from '../lists/value-context.js'
import { type ConsoleWrite, idsIn, type OpenedWrite } from '../write/console-write.js'
import { writeDoneHtml } from '../write/write-html.js'
import { declaredBody, declaredField, type KnownObjects, resourceIn } from './declared-fields.js'
import { type Offer, resolveOffer } from './offer.js'
import { effectFacts, type OfferContext, sentence, targetFacts, valueFacts } from './offer-facts.js'

/** Maximum number of objects that a form offers for selection; if there are more, ids are typed. */
const MAX_CHOICES = 50

/** The only resource whose objects forms offer for selection. There are few processing accounts. */
const ACCOUNT = 'processing_account'

/** The write of an offer. */
export function offeredWrite(offer: Offer): ConsoleWrite {
  const { at, confirms, label, when, fields } = offer
  return {
    at,
    least: (model) => resolveOffer(offer, {}, model).least,
    ...(confirms && { confirms: 'always' }),
    link: { label, when, fields },
    open: (request) => openOffer(offer, request),
  }
}

async function openOffer(offer: Offer, request: ConsoleRequest): Promise<OpenedWrite | ConsoleAnswer> {
  const ids = idsIn(offer, request.path) ?? {}
  const declared = resolveOffer(offer, ids, request.visitor.app.model)
  const { method, path, target, mode } = declared
  const query = offer.fields ? [['fields', `*,${offer.fields.join(',')}`] as const] : []
  const answer = target && (await request.ask('GET', target.path, { query }))
  if (answer && answer.status !== 200) return { kind: 'refused', answer }
  const object = answer?.body ?? {}
  const flags = offer.refine ? await offer.refine(declared.flags, request, object) : declared.flags
  const known = await knownObjects(request, flags)
  const resolved = { ...declared, flags }
  const set = offer.sets?.(ids, object) ?? {}
  const context = { offer, resolved, object, set, known, values: valueContextOf(request.visitor) }
  const changed = mode === 'update' ? object : {}
  const isClosed = offer.when && target && !offer.when(object)
  return {
    heading: offer.label,
    summary: sentence(declared.summary),
    label: offer.label,
    back: { label: 'Back', path: request.path.slice(0, -(offer.below ?? 1)) },
    facts: targetFacts(context),
    fields: flags.map((flag) => declaredField(flag, changed, known)),
    direct: flags.some(({ kind }) => kind === 'secret'),
    state: '',
    closed: isClosed ? 'Its state does not allow it now' : undefined,
    ...(target && declared.changes && { seen: target.path }),
    send: (values) => ({ method, path, body: { ...declaredBody(flags, values, changed), ...set } }),
    preview: (previewed) => ({ facts: effectFacts(context, previewed) }),
    done: (done) => answerAfter(request, context, done),
  }
}

/** The objects that the fields offer to choose from. */
async function knownObjects(
  request: ConsoleRequest,
  flags: readonly FlagDescription[],
): Promise<KnownObjects> {
  if (!flags.some(({ field }) => resourceIn(field) === ACCOUNT)) return new Map()
  const query: QueryPair[] = [['limit', String(MAX_CHOICES + 1)]]
  const answer = await request.ask('GET', '/processing_accounts', { query })
  const choices = answer.status === 200 ? objectsIn(answer.body).map(choiceOf) : []
  return choices.length > 0 && choices.length <= MAX_CHOICES ? new Map([[ACCOUNT, choices]]) : new Map()
}

function choiceOf({ id, name }: JsonObject): FormChoice {
  return typeof name === 'string' && name !== ''
    ? { value: String(id), label: name, hint: String(id) }
    : { value: String(id), label: String(id) }
}

/** Redirects to the page of the object. An answer with a secret, or of an operation, is shown as a page instead. */
function answerAfter(request: ConsoleRequest, context: OfferContext, done: JsonObject): ConsoleAnswer {
  const { offer, resolved } = context
  const { does, label, once, shownOnce = (secret: string) => secret, below = 1 } = offer
  const { environment } = request.visitor
  const { id } = done
  const isThere = does.kind !== 'delete' && resolved.answers && typeof id === 'string'
  const place = isThere ? objectPath(resolved.answers, id) : request.path.slice(0, -below)
  const address = consoleAddress(environment, place)
  const secret = once === undefined ? undefined : done[once]
  if (typeof secret !== 'string' && does.kind !== 'operation') return { kind: 'see', address }
  const body = writeDoneHtml({
    heading: label,
    secret: typeof secret === 'string' ? shownOnce(secret) : undefined,
    facts: valueFacts(context, done),
    next: { label: 'Continue', address },
  })
  return { kind: 'page', title: label, body }
}
