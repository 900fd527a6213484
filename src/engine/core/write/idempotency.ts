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

/** Objects and attributes of a pending answer, so that it can be completed when the outcome is known. */
export interface Continuation {
  readonly resource: string
  readonly ids: readonly string[]
  readonly list: boolean
  readonly fields: readonly string[]
  /**
   * Ids of the processing accounts that the principal is restricted to; undefined: all. The answer shows
   * only objects of these accounts.
   */
  readonly processingIds?: readonly string[] | undefined
  /** Whether the principal is a client key, whose answers show fewer attributes. */
  readonly isClient?: boolean
}

/**
 * Store that keeps the answer to a request in its unit of work, so that a repeated request is not executed
 * again. May throw `ApiError`.
 */
export interface IdempotencyStore {
  /** Stored answer; undefined if the request is new. */
  find(work: Work): Promise<ApiResponse | undefined>
  /** Stores a final answer; replaces a pending one. */
  save(work: Work, response: WrittenAnswer, isSecret: boolean): Promise<void>
  /** Stores a pending answer, while an outcome is not known. */
  savePending(work: Work, continuation: Continuation): Promise<void>
  /** Deletes the answer: the request was refused after its commit, and may be sent again. */
  forget(work: Work): Promise<void>
}

/** Minimum time for which an answer is stored, by the answer clock: 72 hours in milliseconds. */
export const ANSWER_LIFETIME = 72 * 60 * 60 * 1000

/** Header for a client whose first request with the same key is still running. */
const SOON = { 'Retry-After': '1' }

/** Statement that stores an answer; a final answer replaces a pending one. */
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
  db.deleteFrom('idempotency_records').where('id', '=', param('id')),
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

/**
 * Stored continuation of a pending answer; undefined if the answer is no longer pending. Locks its record.
 */
export async function lockContinuation({ db, dialect }: Tx, id: string): Promise<string | null | undefined> {
  const pending = db
    .selectFrom('idempotency_records')
    .select('continuation')
    .where('id', '=', id)
    .where('status', 'is', null)
  return (await lockRows(dialect, pending).executeTakeFirst())?.continuation
}

/** Idempotency key of one request with the hash of its content. */
export interface IdempotencyClaim {
  readonly id: string
  readonly requestHash: string
}

/** Stands in for the input of an invalid request, whose answer is never stored. */
export const INVALID = 'invalid'

/**
 * Validated input of a request: an object, a list, or null without a body. It does not depend on how the
 * request was written.
 */
export type Said = Input | readonly Input[] | null

/**
 * Id of a request with an idempotency key (hash of principal, method, path and key), and the keyed hash of
 * its content. Undefined without a key and in a dry run. Throws `BadRequest` if the key contains a card
 * number, because clients and logs keep keys in plain text.
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

/** Finds the answer store for a request by its validated input; undefined without an idempotency key. */
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
 * Answer to the first request with the key. Undefined if this is the first request, or if the answer was
 * deleted because of its age. Throws `IdempotencyMismatch` if the key was used for another request, and
 * `Conflict` while the first request still runs.
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

/** Stores the answer under the key; an answer with a secret is stored without its body. */
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

/** Stores a pending answer, while an outcome is not known. */
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
