import type { ApiResponse } from '../../../engine/core/request/request.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../client/client.js'
import { missingObject } from '../failure/failure.js'
import { nearest } from '../suggestions/nearest.js'

/** Finds a batch by its name. Throws a `Refusal` with the nearest name if there is none. */
export async function batchNamed(
  ask: (request: ClientRequest) => Promise<ApiResponse>,
  id: string,
): Promise<JsonObject> {
  const [batch] = batchesIn(await ask({ ...LIST, query: [['id', id]] }))
  if (batch) return batch
  const near = nearest(
    id,
    batchesIn(await ask(LIST)).map((known) => String(known.id)),
  )
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  throw missingObject(`There is no batch ${id}${hint || ';'} payctl batch results lists all`)
}

const LIST = { method: 'GET', path: '/admin/batches' } as const

function batchesIn({ body }: ApiResponse): readonly JsonObject[] {
  return objectsIn(body, 'batches')
}
