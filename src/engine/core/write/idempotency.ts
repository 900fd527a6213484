import { hasCardNumber } from '../../../schema/card-data.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { canonicalText } from '../../../schema/ordered-json.js'
import type { Input } from '../../../schema/types.js'
import { lockRows, waitForName } from '../../store/database/differences.js'
import { prepared } from '../../store/database/prepared.js'
import type { Tx } from '../../store/database/store.js'
import type { IdempotencyRow } from '../../store/database/tables.js'
import type { Vault } from '../../store/vault/vault.js'
import { ApiError } from '../request/api-error.js'
import { type ApiRequest, type ApiResponse, WrittenAnswer } from '../request/request.js'
import type { RequestPath } from '../request/route.js'
import type { AnswerClock } from './answer-clock.js'
import type { Work } from './work.js'

/** What an answer will show whose outcome is not known yet, so that it can be completed later. */
export interface Continuation {
  readonly resource: string
  readonly ids: readonly string[]
  readonly list: boolean
  readonly fields: readonly string[]
  /** Processing accounts that the principal is narrowed to; undefined: all. The answer shows only what is theirs. */
  readonly processingIds?: readonly string[] | undefined
  /** Whether the principal is a client key, which is shown less. */
  readonly isClient?: boolean
}

/** Stores the answer to a request in its unit of work, so that a repeated request is not done again. May throw `ApiError`s. */
export interface IdempotencyStore {
  /** The stored answer; undefined when the request is new. */
  find(work: Work): Promise<ApiResponse | undefined>
  /** Stores a final answer, in place of a pending one. */
  save(work: Work, response: WrittenAnswer, isSecret: boolean): Promise<void>
  /** Stores what the answer will show, as an outcome is not known yet. */
  savePending(work: Work, continuation: Continuation): Promise<void>
  /** Forgets a pending answer: nothing happened, and the same request may be tried anew. */
  forget(work: Work): Promise<void>
}

/** How long an answer is stored at least, by the clock of answers: 72 hours. */
export const ANSWER_LIFETIME = 72 * 60 * 60 * 1000

/** When to try again while the first request still runs. */
const SOON = { 'Retry-After': '1' }

/** A final answer replaces a pending one. */
const keepStatement = prepared<IdempotencyRow, unknown>((db, param) =>
  db
    .insertInto('idempotency_records')
    .values({
      id: param('id'),
      request_hash: param('request_hash'),
      status: param('status'),
      answer: param('answer'),
      continuation: param('continuation'),
      created_at: param('created_at'),
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        request_hash: eb.ref('excluded.request_hash'),
        status: eb.ref('excluded.status'),
        answer: eb.ref('excluded.answer'),
        continuation: eb.ref('excluded.continuation'),
        created_at: eb.ref('excluded.created_at'),
      })),
    ),
)

const forgetStatement = prepared<{ id: string }, unknown>((db, param) =>
  db.deleteFrom('idempotency_records').where('id', '=', param('id')).where('status', 'is', null),
)

const recordById = prepared<{ id: string }, IdempotencyRow>((db, param) =>
  db.selectFrom('idempotency_records').selectAll().where('id', '=', param('id')),
)

/** Records with a pending answer. */
export const openContinuations = prepared<object, IdempotencyRow>((db) =>
  db
    .selectFrom('idempotency_records')
    .selectAll()
    .where('status', 'is', null)
    .where('continuation', 'is not', null),
)

/** What a pending answer will show, as it is now; nothing where it is pending no more. Locks its record. */
export async function lockContinuation({ db, dialect }: Tx, id: string): Promise<string | null | undefined> {
  const pending = db
    .selectFrom('idempotency_records')
    .select('continuation')
    .where('id', '=', id)
    .where('status', 'is', null)
  return (await lockRows(dialect, pending).executeTakeFirst())?.continuation
}

/** The record of one request under its key. */
export interface IdempotencyClaim {
  readonly id: string
  readonly requestHash: string
}

/** In place of the input of a request that is invalid: no such request has a stored answer. */
export const INVALID = 'invalid'

/** The validated input of a request: of one object, of a list, or null without any. It is the same however it was written. */
export type Said = Input | readonly Input[] | null

/**
 * The id of a request with a key (principal, method, path and key), and the keyed hash of all it says. Throws
 * `BadRequest` for a key with a card number in it, as clients and logs keep keys in clear.
 */
export function claimOf(
  request: ApiRequest,
  { segments }: RequestPath,
  vault: Vault,
  says: Said | typeof INVALID,
): IdempotencyClaim | undefined {
  const { principal, method, query = [], idempotencyKey, dryRun } = request
  if (idempotencyKey === undefined || dryRun) return undefined
  if (hasCardNumber(idempotencyKey))
    throw new ApiError('BadRequest', 'The idempotency key must not hold a card number')
  const parameters = query.map((pair) => JSON.stringify(pair)).sort()
  return {
    id: vault.hash(JSON.stringify([principal.id, method, segments, idempotencyKey]), 'idempotency_key'),
    requestHash: vault.hash(canonicalText([method, segments, parameters, says]), 'idempotency_request'),
  }
}

/** The store for the answer to a request by what it says; none without an idempotency key. */
export type AnswerStores = (says: Said | typeof INVALID) => IdempotencyStore | undefined

export function answerStores(
  request: ApiRequest,
  path: RequestPath,
  { vault, answerClock }: AnswerDependencies & { readonly vault: Vault },
): AnswerStores {
  return (says) => {
    const claim = claimOf(request, path, vault, says)
    return claim && idempotencyStoreOf(claim, { answerClock })
  }
}

interface AnswerDependencies {
  readonly answerClock: AnswerClock
}

export function idempotencyStoreOf(
  claim: IdempotencyClaim,
  { answerClock }: AnswerDependencies,
): IdempotencyStore {
  return {
    find: ({ tx }) => findAnswer(tx, claim),
    save: async ({ tx }, response, isSecret) =>
      await saveAnswer(tx, claim, datetimeOf(await answerClock.at(tx)), response, isSecret),
    savePending: async ({ tx }, continuation) =>
      await saveContinuation(tx, claim, datetimeOf(await answerClock.at(tx)), continuation),
    forget: async ({ tx }) => void (await tx.change(forgetStatement, { id: claim.id })),
  }
}

/**
 * The answer to the first request with the key, until it is deleted for its age; undefined when this is the first. Throws
 * `IdempotencyMismatch` for another request under the key, `Conflict` while the first still runs.
 */
export async function findAnswer(tx: Tx, claim: IdempotencyClaim): Promise<ApiResponse | undefined> {
  await waitForName(tx, claim.id)
  const [first] = await tx.run(recordById, { id: claim.id })
  return first && replay(first, claim)
}

function replay(first: IdempotencyRow, claim: IdempotencyClaim): ApiResponse {
  if (first.status === null)
    throw new ApiError('Conflict', 'The first request with this idempotency key still runs', {}, SOON)
  if (first.request_hash !== claim.requestHash) {
    throw new ApiError('IdempotencyMismatch', 'The idempotency key was used for another request')
  }
  if (first.answer === null) {
    throw new ApiError('Conflict', 'The first answer held a secret and is not repeated')
  }
  return new WrittenAnswer(first.answer, { 'Idempotent-Replay': 'true' }, first.status)
}

/** Stores the answer under the key; one with a secret is stored without its body. */
export async function saveAnswer(
  tx: Tx,
  claim: IdempotencyClaim,
  now: string,
  { status, text }: WrittenAnswer,
  isSecret: boolean,
): Promise<void> {
  await tx.change(keepStatement, {
    status,
    answer: isSecret ? null : text,
    continuation: null,
    ...recordOf(claim, now),
  })
}

/** Stores what the answer will show, while an outcome is not known. */
export async function saveContinuation(
  tx: Tx,
  claim: IdempotencyClaim,
  now: string,
  continuation: Continuation,
): Promise<void> {
  const waiting = { status: null, answer: null, continuation: JSON.stringify(continuation) }
  await tx.change(keepStatement, { ...waiting, ...recordOf(claim, now) })
}

function recordOf({ id, requestHash }: IdempotencyClaim, now: string) {
  return { id, request_hash: requestHash, created_at: now }
}
