import type { ApiResponse, QueryPair } from '../../../engine/core/request/request.js'
import { answeredText, answeredTexts, minorIn, objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Minor, moneyWithCurrency } from '../../../schema/money.js'
import { reaches } from '../../../schema/role.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { expectConfirmed } from '../access/confirmation.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { headingHtml, tableHtml } from '../elements/list-html.js'
import { objectPath } from '../elements/object-path.js'
import { plainText } from '../elements/value.js'
import { commandOf } from '../lists/elsewhere-of.js'
import { parseListQuery } from '../lists/list-query.js'
import { isTypedAgain, typedAmount, typedField } from '../write/typed-amount.js'
import type { WriteField } from '../write/write-fields.js'
import {
  WRITE,
  type WriteHead,
  writeClosedHtml,
  writeFormHtml,
  writePreviewHtml,
} from '../write/write-html.js'
import { KEY, lackingRole } from '../write/write-page.js'
import { stakeText } from './exception-html.js'
import { booksText, exceptionHeading, givesBack, resolutionWords } from './exception-words.js'
import { reasonField } from './exception-write.js'

/** Path segments of the page. */
export const ALIKE = ['exceptions', 'resolve']

/** Maximum number of exceptions that are decided at once. */
const MAX_ALIKE = 100

/** Name of the field with the ids of the exceptions that were shown. */
const IDS = 'ids'

/**
 * Page for one decision about all open exceptions that match the filters of the list. After the form, a preview shows a
 * dry run for each exception; then one request is sent for each exception. If someone else decides an exception in
 * between, that decision stays.
 */
export const decideAlikePage: ConsolePage = {
  matches: (path) => path.join('/') === ALIKE.join('/'),
  get: async (request) => await decide(request),
  post: async (request) => await decide(request),
}

/** The exceptions to decide, as they were just read, and the decision. */
interface Alike {
  readonly request: ConsoleRequest
  readonly open: readonly JsonObject[]
  /** Whether more exceptions match than can be decided at once. */
  readonly hasMore: boolean
  readonly resolution: string
  readonly reason: string
}

/** An exception and the core's answer to its decision. */
interface Decided {
  readonly exception: JsonObject
  readonly answer: ApiResponse
}

async function decide(request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { visitor, form, query } = request
  const { least } = visitor.app.model.get('exception')
  const { role = 'owner' } = visitor.principal
  if (!reaches(role, least)) return await lackingRole(request, role, least)
  const given = (name: string) => form?.get(name) ?? query.findLast(([key]) => key === name)?.[1] ?? ''
  const resolution = given('resolution')
  const reason = given('reason').trim()
  const detour = visitor.environment === 'live' ? confirmation(request, resolution, reason) : undefined
  if (detour) return detour
  const answer = await openOnes(request)
  if (answer.status !== 200) return { kind: 'refused', answer }
  const found = objectsIn(answer.body)
  const alike = {
    request,
    open: found.slice(0, MAX_ALIKE),
    hasMore: found.length > MAX_ALIKE,
    resolution,
    reason,
  }
  const step = form?.get(WRITE.step)
  if (step === 'do') return await perform(alike)
  if (alike.open.length === 0 || commonResolutions(alike.open).length === 0) return closedPage(alike)
  return step === 'preview' ? await preview(alike) : formPage(alike)
}

function confirmation(request: ConsoleRequest, resolution: string, reason: string) {
  const typed: readonly QueryPair[] = [
    ['resolution', resolution],
    ['reason', reason],
  ]
  return expectConfirmed({ ...request, query: [...filtersOf(request), ...typed] })
}

/** The filters of the list. `resolution` and `reason` are inputs of the form here: open exceptions have neither. */
function filtersOf({ query }: ConsoleRequest): readonly QueryPair[] {
  return parseListQuery(query).filters.filter(([name]) => !['status', 'resolution', 'reason'].includes(name))
}

/** The open exceptions that were shown, or those that match the filters. */
async function openOnes(request: ConsoleRequest): Promise<ApiResponse> {
  const shown = request.form?.get(IDS)
  const which: readonly QueryPair[] =
    shown === undefined ? filtersOf(request) : [['id', shown.split(',').slice(0, MAX_ALIKE).join('|')]]
  // For decisions, resolved exceptions are included: if a form is sent twice, their idempotency keys repeat the first
  // answers.
  const status: readonly QueryPair[] = request.form?.get(WRITE.step) === 'do' ? [] : [['status', 'open']]
  return await request.ask('GET', '/admin/exceptions', {
    query: [...which, ...status, ['order_by', 'id'], ['limit', String(MAX_ALIKE + 1)]],
  })
}

/**
 * Resolutions that every one of the exceptions offers. `link` is excluded, because each exception would need a payment
 * of its own.
 */
function commonResolutions(exceptions: readonly JsonObject[]): readonly string[] {
  const [first = {}, ...others] = exceptions
  return answeredTexts(first, 'resolutions').filter(
    (resolution) =>
      resolution !== 'link' &&
      others.every((exception) => answeredTexts(exception, 'resolutions').includes(resolution)),
  )
}

function fieldsOf({ open }: Alike): readonly WriteField[] {
  const options = commonResolutions(open).flatMap((value) => {
    const words = resolutionWords(value)
    return words ? [{ value, label: words.label, hint: words.does }] : []
  })
  return [{ kind: 'choice', name: 'resolution', label: 'Decision', options, required: true }, reasonField]
}

function headOf({ request, open, hasMore }: Alike, problem?: string): WriteHead {
  const { environment, formToken } = request.visitor
  const filters = filtersOf(request)
  return {
    heading: 'Decide many exceptions alike',
    summary: hasMore
      ? `The first ${MAX_ALIKE} that match are decided now, each by itself; the others after them.`
      : 'Each is decided by itself. What somebody else decides in between is left as it is.',
    facts: [
      ['Exceptions', String(open.length)],
      ['At stake together', moneyWithCurrency(sumOf(open))],
    ],
    state: '',
    problem,
    action: consoleAddress(environment, ALIKE, filters),
    token: formToken,
    back: {
      label: 'Back to the exceptions',
      address: consoleAddress(environment, ['exceptions'], [['status', 'open'], ...filters]),
    },
  }
}

function sumOf(exceptions: readonly JsonObject[]): Minor {
  return exceptions.reduce((sum, exception) => sum + (minorIn(exception, 'amount') ?? 0), 0)
}

const TITLE = 'Decide many exceptions'

function closedPage(alike: Alike): ConsoleAnswer {
  const problem =
    alike.open.length === 0
      ? 'No open exception matches.'
      : 'These exceptions have no decision in common. Filter the list by their kind first.'
  return { kind: 'page', title: TITLE, body: writeClosedHtml(headOf(alike, problem)), status: 409 }
}

function formPage(alike: Alike, problem?: string, errors = new Map<string, string>()): ConsoleAnswer {
  const { open, resolution, reason } = alike
  const values = new Map([
    ['resolution', resolution],
    ['reason', reason],
  ])
  const body = html`${writeFormHtml(headOf(alike, problem), { fields: fieldsOf(alike), values, errors })}
${eachHtml(alike.request, open, (exception) => answeredText(exception, 'happened'))}`
  const status = problem === undefined && errors.size === 0 ? 200 : 400
  return { kind: 'page', title: TITLE, body, status }
}

/** Shows the effect of the decision on each exception, by dry runs of the core. */
async function preview(alike: Alike, error?: string): Promise<ConsoleAnswer> {
  const { request, resolution, reason, open } = alike
  const errors = new Map<string, string>()
  if (!commonResolutions(open).includes(resolution)) errors.set('resolution', 'Choose one')
  if (reason === '') errors.set('reason', 'Must be filled in')
  if (errors.size > 0) return formPage(alike, undefined, errors)
  const decided = await resolveEach(alike, 'preview')
  const able = decided.filter(({ answer }) => answer.status === 200).map(({ exception }) => exception)
  if (able.length === 0) return formPage(alike, problemOf(decided[0]?.answer))
  const words = resolutionWords(resolution)
  const outgoing = givesBack(resolution) ? sumOf(able) : undefined
  const typed = typedAmount(request.visitor.environment, outgoing)
  const body = html`${writePreviewHtml(headOf(alike), {
    label: `${words?.label ?? resolution}: ${able.length}`,
    facts: [
      ['Decision', words?.label],
      ['Then', words?.does],
      ['Amount together', resolution === 'ignore' ? undefined : moneyWithCurrency(sumOf(able))],
      ['Reason', reason],
    ],
    key: request.id,
    version: '',
    values: new Map([
      [IDS, able.map(({ id }) => String(id)).join()],
      ['resolution', resolution],
      ['reason', reason],
    ]),
    hasForm: true,
    attached: [],
    typed: typed === undefined ? undefined : typedField(typed, error),
  })}
${eachHtml(request, open, (exception) => {
  const answer = decided.find((one) => one.exception === exception)?.answer
  return answer?.status === 200 ? booksText(exception, resolution) : `Not decided: ${problemOf(answer)}`
})}`
  return {
    kind: 'page',
    title: TITLE,
    body,
    ...(error !== undefined && { status: 400 }),
    elsewhere: { command: commandFor(alike) },
  }
}

function commandFor({ request, resolution, reason }: Alike): string {
  const filters = filtersOf(request).flatMap(([name, value]) => ['--where', `${name}=${value}`])
  const where = filters.length > 0 ? filters : ['--where', 'status=open']
  const words = ['exceptions', 'resolve', ...where, '--as', resolution, '--reason', reason]
  return commandOf(request.visitor.environment, words)
}

async function perform(alike: Alike): Promise<ConsoleAnswer> {
  const { request, open, resolution } = alike
  const { environment } = request.visitor
  if (!KEY.test(request.form?.get(WRITE.key) ?? '') || !request.form?.has(IDS)) return formPage(alike)
  const typed = givesBack(resolution) ? typedAmount(environment, sumOf(open)) : undefined
  if (typed !== undefined && !isTypedAgain(request.form, typed))
    return await preview(alike, 'Must be the amount above')
  const decided = await resolveEach(alike, 'do')
  const done = decided.filter(({ answer }) => answer.status === 200)
  const address = consoleAddress(environment, ['exceptions'], [['status', 'open'], ...filtersOf(request)])
  const body = html`${headingHtml(`${done.length} of ${decided.length} exceptions are decided`)}
${eachHtml(request, open, (exception) => outcomeOf(decided.find((one) => one.exception === exception)?.answer))}
<p><a class="button" href="${pageAddress(address)}">Continue</a></p>`
  return { kind: 'page', title: TITLE, body, status: done.length > 0 ? 200 : 409 }
}

function outcomeOf(answer: ApiResponse | undefined): string {
  if (answer?.status !== 200) return `Not decided: ${problemOf(answer)}`
  return answeredText(answer.body, 'status') === 'resolved'
    ? 'resolved'
    : 'open, until the gateway has answered'
}

/** Sends the decisions one after another. Their idempotency keys make a repeated form harmless. */
async function resolveEach(
  { request, open, resolution, reason }: Alike,
  step: 'preview' | 'do',
): Promise<readonly Decided[]> {
  const decided: Decided[] = []
  for (const exception of open) {
    const id = String(exception.id)
    const answer = await request.ask('POST', `/admin/exceptions/${encodeURIComponent(id)}/resolve`, {
      body: { resolution, reason },
      ...(step === 'preview'
        ? { dryRun: true }
        : { idempotencyKey: `${request.form?.get(WRITE.key) ?? ''}.${id}` }),
    })
    decided.push({ exception, answer })
  }
  return decided
}

function problemOf(answer: ApiResponse | undefined): string {
  return plainText(answer?.body.error_description ?? 'it was refused')
}

/** A table of the exceptions, with links to their pages. */
function eachHtml(
  { visitor: { environment, app } }: ConsoleRequest,
  exceptions: readonly JsonObject[],
  textOf: (exception: JsonObject) => string | undefined,
): Html {
  return html`<h2>Each of them</h2>
${tableHtml({
  id: 'alike',
  caption: 'Exceptions',
  columns: [{ label: 'Exception' }, { label: 'Amount', isNumber: true }, { label: 'What happens' }],
  rows: exceptions.map((exception) => {
    const path = objectPath(app.model.get('exception'), String(exception.id))
    const href = pageAddress(consoleAddress(environment, path))
    return [
      html`<a href="${href}">${exceptionHeading(answeredText(exception, 'kind'))}</a>`,
      stakeText(exception),
      html`<bdi>${textOf(exception)}</bdi>`,
    ]
  }),
})}`
}
