import { RANDOM_HEX } from './random-hex.js'

/**
 * The script of the hidden frame of a form: reads the fields beside it, sends the request, and reports the outcome to the
 * page. The page receives ids, states and errors, and no number.
 */
export const CONTROLLER_SCRIPT = `'use strict'
{
${RANDOM_HEX}const group = new URLSearchParams(location.search).get('group')
/** The service has compared this key with the origin of the page. The address is not used: it could name two keys. */
const { key, unknown, sentBefore, incomplete, notLoaded, rail: shownRail, accept: shownAccept, closed } = document.body.dataset
/** Fields of a gateway that the shop's page mounts itself: this frame receives their token instead of numbers. */
const rail = shownRail === undefined ? undefined : JSON.parse(shownRail)
/** The account at Authorize.Net for which Accept.js makes tokens of numbers in this frame. */
const accept = shownAccept === undefined ? undefined : JSON.parse(shownAccept)
let origin

function tell(type, more) {
  parent.postMessage({ payctl: group, type, ...more }, origin)
}

/** The fields of this form: siblings of the same origin with the same key and group. */
function fieldsBeside() {
  const found = []
  for (let index = 0; index < parent.length; index++) {
    try {
      const field = parent[index].payctlField
      if (field?.key === key && field.group === group) found.push(field)
    } catch {
      // A frame of another origin.
    }
  }
  return found
}

/** Paths that client keys may post to. */
const PATHS = ['transactions', 'payment_methods']

/** Input names of each type of payment method, which are also its attributes. */
const NAMES = { card: ['card_number', 'expiry', 'card_code'], bank_account: ['account_number', 'routing_number'] }

const typeOf = ({ name }) => (NAMES.bank_account.includes(name) ? 'bank_account' : 'card')

/** The type of method that was filled in, unless the page names one. A form may have fields of both. */
function chosenType(fields, named) {
  if (named === 'card' || named === 'bank_account') return named
  return typeOf(fields.find((field) => !field.isEmpty()) ?? fields[0])
}

/** An object with the value at a path. */
function nested([name, ...rest], value) {
  return name === undefined ? value : { [name]: nested(rest, value) }
}

/** The refusal of the fields themselves; nothing was sent. */
function refusal(path, problems) {
  return { error_type: 'InvalidAttributes', error_description: incomplete, details: nested(path, problems) }
}

/** The text of a request with a method. */
function requestWith(method, path, body) {
  return JSON.stringify(path === 'transactions' ? { type: 'payment', ...body, payment_method: method } : method)
}

/** Fields that the error codes of Accept.js are about. */
const ACCEPT_FIELDS = {
  E_WC_05: 'card_number',
  E_WC_06: 'expiry',
  E_WC_07: 'expiry',
  E_WC_08: 'expiry',
  E_WC_15: 'card_code',
}

/** The token of the last input, until it is refused: input that is sent again after a success is the same payment. */
let nonce

/** The token of a card by Accept.js, or the problems of fields, or an error. */
async function tokenOf({ card_number, expiry, card_code }) {
  const typed = [card_number, expiry, card_code].join(' ')
  if (nonce?.typed === typed) return nonce
  const unavailable = (error_description) => ({ error: { error_type: 'ServiceUnavailable', error_description } })
  if (typeof Accept !== 'object') return unavailable(accept.blocked)
  const [month, year] = expiry.split(/\\D+/)
  const cardData = { cardNumber: card_number.replace(/\\D/g, ''), month, year: '20' + year, cardCode: card_code }
  const { messages, opaqueData } = await new Promise((resolve) =>
    Accept.dispatchData({ authData: accept.settings, cardData }, resolve),
  )
  if (messages.resultCode === 'Ok') {
    nonce = { typed, token: opaqueData.dataDescriptor + '/' + opaqueData.dataValue }
    return nonce
  }
  const [{ code, text }] = messages.message
  const name = ACCEPT_FIELDS[code]
  return name === undefined ? unavailable(code + ': ' + text) : { problems: { [name]: text } }
}

async function submit({ path, body, names, attempt: kept, token }) {
  if (rail && typeof token === 'string') {
    const sent = (path === 'transactions' ? body.payment_method : body) ?? {}
    const method = { ...sent, type: 'card', gateway_token: { ...rail.place, token } }
    return await attempt(path, requestWith(method, path, body), kept)
  }
  const fields = fieldsBeside()
  const missing = names.some((name) => !fields.some((field) => field.name === name))
  if (missing || fields.length === 0) return { error: { error_type: 'BadRequest', error_description: notLoaded } }
  const sentMethod = (path === 'transactions' ? body.payment_method : body) ?? {}
  const type = chosenType(fields, sentMethod.type)
  const used = fields.filter((field) => typeOf(field) === type)
  const read = used.map((field) => field.read())
  const problems = Object.assign({}, ...read.map((each) => each.problems))
  const place = path === 'transactions' ? ['payment_method', type] : [type]
  if (Object.keys(problems).length > 0) {
    used.find((_, index) => Object.keys(read[index].problems).length > 0).focus()
    return { error: refusal(place, problems) }
  }
  const values = Object.assign({}, ...read.map((each) => each.values))
  if (accept && type === 'card') {
    const made = await tokenOf(values)
    if (made.problems) for (const field of used) field.refuse(made.problems)
    if (made.problems) return { error: refusal(place, made.problems) }
    if (made.error) return { error: made.error }
    const method = { ...sentMethod, type, card: undefined, gateway_token: { ...accept.place, token: made.token } }
    const answer = await attempt(path, requestWith(method, path, body), kept)
    // A token can be charged only once, even if the charge failed.
    if (answer.isRefused) nonce = undefined
    return answer
  }
  const method = { ...sentMethod, type, [type]: { ...sentMethod[type], ...values } }
  const answer = await attempt(path, requestWith(method, path, body), kept)
  const refused = place.reduce((details, name) => details?.[name], answer.error?.details)
  if (refused) for (const field of used) field.refuse(refused)
  return answer
}

/**
 * The last attempt that was not refused: its idempotency key, what was sent under it, and its answer once it succeeded.
 * The shop's page keeps the key over a reload, as browsers may store nothing for frames of other sites.
 */
let last

/** An attempt, under the key that the page has kept if there is one. */
function newAttempt(kept) {
  return { id: /^[0-9a-f]{32}$/.test(kept) ? kept : randomHex(), texts: new Set() }
}

/** Lets the page keep an idempotency key, before anything is sent under it. */
let whenKept
function keepInPage(id) {
  tell('sending', { attempt: id })
  return new Promise((resolve) => (whenKept = resolve))
}

/** Sends a request under one idempotency key until it is refused. The same request after a success is the same payment. */
async function attempt(path, text, kept) {
  if (last?.answer && last.texts.has(text)) return { ...last.answer, isRepeated: true }
  // Other values after a success are another payment.
  last = last === undefined ? newAttempt(kept) : last.answer ? newAttempt() : last
  for (;;) {
    await keepInPage(last.id)
    let answer = await send(path, last.id, text)
    let isEarlier = false
    for (const earlier of last.texts) {
      if (answer.error?.error_type !== 'IdempotencyMismatch') break
      // An earlier request with other values has arrived: its outcome decides.
      answer = await send(path, last.id, earlier)
      isEarlier = true
    }
    last.texts.add(text)
    if (answer.action) answer = await confirmed(answer)
    if (answer.isOpen) return answer
    if (!answer.error) {
      last.answer = answer
      return answer
    }
    last = undefined
    if (answer.error.error_type === 'IdempotencyMismatch')
      return { isRefused: true, error: { error_type: 'IdempotencyMismatch', error_description: sentBefore } }
    if (!isEarlier) return { ...answer, isRefused: true }
    last = newAttempt()
  }
}

/** Lets the page show the step by which the payer authenticates; the answer is the outcome that this service has found. */
let whenActed
async function confirmed({ object, action }) {
  tell('action', { action })
  const { event, transaction_id, status_code, message } = await new Promise((resolve) => (whenActed = resolve))
  if (event === 'error') return { isOpen: true, error: { error_type: 'ServiceUnavailable', error_description: message ?? unknown } }
  if (event !== 'declined') return { object: { ...object, ...(event !== 'created' && { status: event, status_code: 'approved' }) } }
  const isPayment = transaction_id !== undefined
  const declined = { ...object, status: 'declined', status_code, status_message: message }
  return {
    error: isPayment
      ? { error_type: 'TransactionDeclined', error_description: message, details: declined }
      : { error_type: 'InvalidAttributes', error_description: message, details: { gateway_token: message } },
  }
}

const PAUSES = [500, 1000, 2000, 4000]

/** Sends a request, and sends it again if its answer is lost. An answer with isOpen decides nothing. */
async function send(path, id, text) {
  for (const pause of [...PAUSES, undefined]) {
    const answer = await sendOnce(path, id, text)
    if (!answer.isLost || pause === undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

async function sendOnce(path, id, text) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json', 'idempotency-key': id }
  try {
    const response = await fetch('../' + path, { method: 'POST', headers, body: text, credentials: 'omit', cache: 'no-store' })
    const body = await response.json()
    if (response.ok) return { object: shown(body), action: actionIn(body) }
    // An answer of 429 says that nothing was done, and when to send again.
    if (response.status === 429) return { isOpen: true, error: errorOf(body) }
    if (response.status >= 500 || response.status === 409)
      return { isOpen: true, isLost: true, error: { ...errorOf(body), error_description: unknown } }
    return { error: errorOf(body) }
  } catch {
    return { isOpen: true, isLost: true, error: { error_type: 'ServiceUnavailable', error_description: unknown } }
  }
}

/** The step that the payer has to take first; undefined for none. */
function actionIn({ id, next_action: step }) {
  return step?.url === undefined ? undefined : { id, signature: new URL(step.url).searchParams.get('signature') }
}

/** Attributes of an object that the page receives. */
function shown({ object, id, status, status_code, status_message }) {
  return { object, id, status, status_code, status_message }
}

function errorOf({ error_type, error_description, details }) {
  if (error_type === 'TransactionDeclined') return { error_type, error_description, details: shown(details ?? {}) }
  return { error_type, error_description, details }
}

/** The previous submission; the next one starts after its end. */
let before = Promise.resolve()

addEventListener('message', ({ source, origin: from, data }) => {
  if (source !== parent || source === window || data?.payctl !== group) return
  origin ??= from
  if (from !== origin) return
  if (data.type === 'kept') whenKept?.()
  if (data.type === 'acted') whenActed?.(data.outcome)
  if (data.type !== 'submit' || !PATHS.includes(data.path)) return
  before = before.then(async () => tell('answer', { id: data.id, ...(await submit(data)) })).catch(reportError)
})

parent.postMessage({ payctl: group, type: 'ready', rail, closed: JSON.parse(closed) }, '*')
}
`
