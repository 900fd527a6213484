import { readInput, readPlainInput } from '../../../model/input/read-input.js'
import type { ValidationOptions } from '../../../model/input/sent-input.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { detailsOf } from '../request/error-details.js'

/** Validates one object. Throws `InvalidAttributes` with details in the shape of the input. */
export function validated(resource: ResourceModel, writing: ValidationOptions, value: Json): Input {
  const result = readInput(resource, writing, value)
  if (!result.success) throw invalidAttributes(detailsOf(result.error.issues))
  return isTree(result.data) ? result.data : {}
}

/**
 * Validates attributes that belong to no resource, such as the attributes of an action. Throws
 * `InvalidAttributes`.
 */
export function validatedPlain(fields: PlainFields, value: unknown): Input {
  const result = readPlainInput(fields, value)
  if (!result.success) throw invalidAttributes(detailsOf(result.error.issues))
  return isTree(result.data) ? result.data : {}
}

/**
 * Processes items in order and collects their errors by index. Throws if any item failed, because no change
 * of the list may then remain.
 */
export async function judgeEach<I, O>(
  items: readonly I[],
  judge: (item: I, index: number) => Promise<O>,
): Promise<O[]> {
  const done: O[] = []
  const details: JsonObject = {}
  let first: ApiError | undefined
  for (const [index, item] of items.entries()) {
    try {
      done.push(await judge(item, index))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      details[index] = error.type === 'InvalidAttributes' ? error.details : error.description
      if (!first || first.type === 'InvalidAttributes') first = error
    }
  }
  if (!first) return done
  if (first.type === 'InvalidAttributes') throw invalidAttributes(details)
  throw new ApiError(first.type, first.description, details)
}
