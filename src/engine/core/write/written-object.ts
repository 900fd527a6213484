import type { Row } from '../../../schema/columns.js'
import { CutLists } from '../read/cut-lists.js'
import { showStored } from '../read/show-rows.js'
import { ApiError, errorBody } from '../request/api-error.js'
import { type ApiResponse, WrittenAnswer } from '../request/request.js'
import type { IdempotencyStore } from './idempotency.js'
import type { UnitOfWork } from './unit-of-work.js'
import type { AnyRule } from './work.js'
import type { Written } from './write.js'

/**
 * Answer to a write, saved in the idempotency store. It is saved as pending while an outcome is not known.
 */
export async function answerOf(
  work: UnitOfWork,
  written: Written,
  idempotency: IdempotencyStore | undefined,
): Promise<ApiResponse> {
  const { response, isSecret, open } = await renderWritten(work, written)
  if (!idempotency) return response
  if (open && written.kind === 'rows') {
    const ids = written.rows.map((row) => String(row.id))
    const fields = written.fields
    await idempotency.savePending(work, {
      resource: written.resource.name,
      ids,
      list: written.list,
      fields,
      processingIds: work.principal.processingIds,
      isClient: work.principal.kind === 'client',
    })
    return response
  }
  await idempotency.save(work, response, isSecret)
  return response
}

/**
 * Answer to a write. `isSecret`: it shows a secret, which is not stored. `open`: an outcome is not known
 * yet.
 */
async function renderWritten(
  work: UnitOfWork,
  written: Written,
): Promise<{ response: WrittenAnswer; isSecret: boolean; open: boolean }> {
  if (written.kind === 'shown')
    return { response: ok(written.texts, written.list), isSecret: false, open: false }
  const { resource, list, shape, isOutcome } = written
  const rule = work.ruleOf(resource)
  const lists = new CutLists(!list)
  // Another object of the list may have changed the row since.
  const stored = written.rows.map((row) => work.cachedRow(resource.table, String(row.id)) ?? row)
  const isClient = work.principal.kind === 'client'
  const rows = isClient ? stored.map((row) => rule?.shownToClient?.(row) ?? row) : stored
  const texts = await showStored(work.showContext(lists), shape, rows)
  const secrets = written.rows.map((row) => rule?.shownOnce?.(row))
  const isSecret = secrets.some((secret) => secret !== undefined)
  const shown = isSecret ? texts.map((text, index) => withSecret(text, secrets[index])) : texts
  const open = isAnyOpen(rule, rows)
  const [row] = rows
  const refused = isOutcome && row ? rule?.answeredAs?.(row) : undefined
  if (!refused) return { response: ok(shown, list, lists.headers()), isSecret, open }
  const error = new ApiError(refused.type, refused.description, JSON.parse(shown[0] ?? '{}'))
  return { response: new WrittenAnswer(JSON.stringify(errorBody(error)), {}, error.status), isSecret, open }
}

/**
 * Whether the outcome of a row is still unknown. Deleted rows are ignored, because their outcome is no
 * longer followed up.
 */
export function isAnyOpen(rule: AnyRule | undefined, rows: readonly Row[]): boolean {
  return rows.some((row) => row.deleted_at === null && rule?.isOpen?.(row))
}

function withSecret(text: string, secret: Row | undefined): string {
  return JSON.stringify({ ...JSON.parse(text), ...secret })
}

function ok(texts: readonly string[], isList: boolean, headers: ApiResponse['headers'] = {}): WrittenAnswer {
  return new WrittenAnswer(
    isList ? `{"object":"list","values":[${texts.join()}]}` : (texts[0] ?? '{}'),
    headers,
  )
}
