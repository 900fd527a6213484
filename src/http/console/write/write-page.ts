import type { ApiResponse } from '../../../engine/core/request/request.js'
import { SEEN_VERSION } from '../../../engine/core/write/as-seen.js'
import { objectsIn } from '../../../schema/answer-values.js'
import { type Role, reaches } from '../../../schema/role.js'
import { isTree } from '../../../schema/types.js'
import { expectConfirmed } from '../access/confirmation.js'
import { type ConsoleAnswer, type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { lackingRoleHtml } from '../document/trouble.js'
import {
  type ConsoleWrite,
  idsIn,
  leastOf,
  type OpenedWrite,
  objectIdIn,
  type WriteValues,
} from './console-write.js'
import { type WriteRefusal, writeRefusal } from './refused-write.js'
import { isTypedAgain, typedAmount, typedField } from './typed-amount.js'
import { postedValue } from './write-fields.js'
import { WRITE, type WriteHead, writeClosedHtml, writeFormHtml, writePreviewHtml } from './write-html.js'

const CHANGED = 'It has changed since this page was shown. Look at it again: nothing was done.'
const SENT_BEFORE = 'This page was sent before with other values. Look at it again: nothing more was done.'
const UNKNOWN =
  'It is not known whether it was done. Press the button again: what was done already is not done twice.'
const NO_PROBLEM: WriteRefusal = { problem: undefined, errors: new Map() }

/** A write that an operator has opened. */
interface Visit {
  readonly write: ConsoleWrite
  readonly request: ConsoleRequest
  readonly id: string
  readonly opened: OpenedWrite
}

/**
 * The page of a write: a form, a preview that is the core's own dry run, and the write itself. A preview that is sent
 * twice writes once, by its idempotency key. Of two previews of the same state, the second is refused, because the
 * object has a new version.
 */
export function writePage(write: ConsoleWrite): ConsolePage {
  return {
    matches: (path) => idsIn(write, path) !== undefined,
    get: async (request) => {
      const visit = await visitOf(write, request)
      if ('kind' in visit) return visit
      const { fields, closed } = visit.opened
      if (closed !== undefined) return closedPage(visit)
      const presets = new Map(request.query.filter(([name]) => fields.some((field) => field.name === name)))
      const detour = confirmation(visit, presets)
      if (detour) return detour
      return fields.length > 0 ? formPage(visit, presets) : await preview(visit, presets)
    },
    post: async (request) => {
      const visit = await visitOf(write, request)
      if ('kind' in visit) return visit
      const values = valuesOf(visit)
      const detour = confirmation(visit, values)
      if (detour) return detour
      switch (request.form?.get(WRITE.step)) {
        case 'do':
          return await perform(visit, values)
        case 'change':
          return formPage(visit, values)
        default:
          return await preview(visit, values)
      }
    },
  }
}

/**
 * Redirects to the page on which an operator proves their identity again, if the live environment requires this for the
 * write. That page leads back to the filled form; typed secrets are not put into its address. Undefined if no proof is
 * needed.
 */
function confirmation({ write, request, opened }: Visit, values: WriteValues): ConsoleAnswer | undefined {
  if (write.confirms !== 'live' || request.visitor.environment !== 'live') return undefined
  return expectConfirmed({ ...request, query: opened.direct ? [] : [...values] })
}

async function visitOf(write: ConsoleWrite, request: ConsoleRequest): Promise<Visit | ConsoleAnswer> {
  const { app, principal } = request.visitor
  const { role = 'owner' } = principal
  const ids = idsIn(write, request.path)
  if (!ids) return { kind: 'missing' }
  const least = leastOf(write, app.model)
  if (!reaches(role, least)) return await lackingRole(request, role, least)
  const detour = write.confirms === 'always' ? expectConfirmed(request) : undefined
  if (detour) return detour
  const id = objectIdIn(ids)
  const opened = await write.open(request, id)
  return 'kind' in opened ? opened : { write, request, id, opened }
}

/**
 * Page for an operator whose role is not sufficient. It names the sufficient roles, and the owners, who assign roles.
 */
export async function lackingRole(request: ConsoleRequest, role: Role, least: Role): Promise<ConsoleAnswer> {
  const { body } = await request.ask('GET', '/admin/operators', { query: OWNERS })
  const owners = objectsIn(body).map(({ name }) => String(name))
  return { kind: 'page', title: 'Forbidden', status: 403, body: lackingRoleHtml({ role, least, owners }) }
}

const OWNERS = [
  ['role', 'owner'],
  ['status', 'active'],
  ['limit', '3'],
] as const

function valuesOf({ request, opened }: Visit): WriteValues {
  const form = request.form ?? new Map()
  return new Map(opened.fields.map((field) => [field.name, postedValue(field, form)]))
}

function formPage(
  visit: Visit,
  values: WriteValues,
  { problem, errors }: WriteRefusal = NO_PROBLEM,
  status = 200,
): ConsoleAnswer {
  const { heading, fields, direct, label } = visit.opened
  const step = direct ? { label, key: visit.request.id } : undefined
  const body = writeFormHtml(headOf(visit, problem), { fields, values, errors }, step)
  return { kind: 'page', title: heading, body, status }
}

function closedPage(visit: Visit): ConsoleAnswer {
  const { heading, closed } = visit.opened
  return { kind: 'page', title: heading, body: writeClosedHtml(headOf(visit, closed)), status: 409 }
}

function headOf({ request, opened }: Visit, problem?: string): WriteHead {
  const { environment, formToken } = request.visitor
  const { heading, summary, facts, state, back } = opened
  return {
    heading,
    summary,
    facts,
    state,
    problem,
    action: consoleAddress(environment, request.path),
    token: formToken,
    back: { label: back.label, address: consoleAddress(environment, back.path) },
  }
}

/** An earlier attempt, after which the preview is shown again. */
interface Attempt {
  readonly status?: number
  readonly problem?: string
  /** Key of a request whose outcome is not known. */
  readonly key?: string
  /** Problem of the amount that was typed. */
  readonly typedError?: string
}

/**
 * Shows the preview, by the core's dry run. The object is read after the dry run. If the object changed in between, the
 * version from the dry run is outdated, so the write is refused later.
 */
async function preview(before: Visit, values: WriteValues, attempt: Attempt = {}): Promise<ConsoleAnswer> {
  const missing = missingFields(before, values)
  if (missing.size > 0 || before.opened.direct) {
    const { status = 400, problem } = attempt
    return formPage(before, values, { problem, errors: missing }, status)
  }
  const { request } = before
  const { seen, fields } = before.opened
  const { method, path, ...sent } = before.opened.send(values)
  const answer = await request.ask(method, path, {
    ...sent,
    dryRun: true,
    ...(seen && { seen: { path: seen } }),
  })
  const opened = await before.write.open(request, before.id)
  if ('kind' in opened) return opened
  const visit = { ...before, opened }
  if (opened.closed !== undefined) return closedPage(visit)
  if (answer.status !== 200) return refused(visit, values, answer)
  const { facts, label = opened.label } = opened.preview(answer.body, values)
  const typed = typedAmount(request.visitor.environment, opened.outgoing?.(values))
  const shownState = request.form?.get(WRITE.state)
  const isOther = attempt.problem === undefined && shownState !== undefined && shownState !== opened.state
  const { status = isOther ? 409 : 200, problem = isOther ? CHANGED : undefined, key = request.id } = attempt
  const body = writePreviewHtml(headOf(visit, problem), {
    label,
    facts,
    key,
    version: answer.version ?? '',
    values,
    hasForm: fields.length > 0,
    attached: opened.attached ?? [],
    typed: typed === undefined ? undefined : typedField(typed, attempt.typedError),
  })
  return { kind: 'page', title: opened.heading, body, status }
}

function missingFields({ opened }: Visit, values: WriteValues): Map<string, string> {
  const missing = opened.fields.filter(({ name, required }) => required && !values.get(name))
  return new Map(
    missing.map(({ name, kind }) => [name, kind === 'choice' ? 'Choose one' : 'Must be filled in']),
  )
}

export const KEY = /^req_[\w-]{1,60}$/

/** Sends the request that was previewed, and redirects to the object. */
async function perform(visit: Visit, values: WriteValues): Promise<ConsoleAnswer> {
  const { request, opened } = visit
  const key = request.form?.get(WRITE.key) ?? ''
  const version = request.form?.get(WRITE.version) ?? ''
  const isWhole = missingFields(visit, values).size === 0 && KEY.test(key)
  const isSeen = opened.seen === undefined || opened.direct === true || version !== ''
  if (!isWhole || !isSeen) return await preview(visit, values)
  const { method, path, ...sent } = opened.send(values)
  const amount = typedAmount(request.visitor.environment, opened.outgoing?.(values))
  if (amount !== undefined && !isTypedAgain(request.form, amount))
    return await preview(visit, values, { status: 400, typedError: 'Must be the amount above' })
  const seen = opened.seen === undefined || opened.direct ? {} : { seen: { path: opened.seen, version } }
  return await concluded(
    visit,
    values,
    await request.ask(method, path, { ...sent, ...seen, idempotencyKey: key }),
    key,
  )
}

/** Redirects to the object after a write; shows the preview or the form again after a refusal. */
async function concluded(
  visit: Visit,
  values: WriteValues,
  answer: ApiResponse,
  key: string,
): Promise<ConsoleAnswer> {
  const { environment } = visit.request.visitor
  const { status, headers, body } = answer
  const isFirstRunning = status === 409 && headers['Retry-After'] !== undefined
  if (status === 200 && visit.opened.done) return visit.opened.done(body)
  if (status === 200 || isFirstRunning)
    return { kind: 'see', address: consoleAddress(environment, visit.opened.back.path) }
  if (isChanged(answer)) return await preview(visit, values, { status, problem: CHANGED })
  if (body.error_type === 'IdempotencyMismatch')
    return await preview(visit, values, { status: 409, problem: SENT_BEFORE })
  if (status >= 500) return await preview(visit, values, { status, problem: UNKNOWN, key })
  return refused(visit, values, answer)
}

function isChanged({ status, body }: ApiResponse): boolean {
  return status === 409 && isTree(body.details) && SEEN_VERSION in body.details
}

/**
 * Shows the form with the refusal and all that was typed. For a write without fields, shows its summary with the
 * refusal.
 */
function refused(visit: Visit, values: WriteValues, answer: ApiResponse): ConsoleAnswer {
  const names = visit.opened.fields.map(({ name }) => name)
  const refusal = writeRefusal(answer, names)
  if (names.length > 0) return formPage(visit, values, refusal, answer.status)
  const { heading } = visit.opened
  const body = writeClosedHtml(headOf(visit, refusal.problem))
  return { kind: 'page', title: heading, body, status: answer.status }
}
